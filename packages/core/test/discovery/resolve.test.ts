import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createEngineDiscovery, DEFAULT_ENGINE } from '../../src/discovery.ts'
import { InvalidEngineError } from '../../src/errors/errors.ts'
import { type EngineDefinition, InvalidOptionError } from '../../src/index.ts'
import { builtIn, createProject, definition, engineField, engineModule } from './project.ts'

describe('a built-in engine', () => {
  it('is loaded when it is chosen, from a module or as it is', async () => {
    const lcm = builtIn('lcm', async () => ({ default: definition('lcm') }))
    const compressor = builtIn('compressor')
    const project = await createProject()
    const discovery = project.discovery({ builtIn: [compressor, lcm] })
    expect(await discovery.resolve('lcm')).toMatchObject({ definition: { name: 'lcm' }, warnings: [] })
    expect(compressor.load).not.toHaveBeenCalled()
    expect(await discovery.resolve(DEFAULT_ENGINE)).toMatchObject({
      entry: { version: '1.2.3' },
      warnings: [],
    })
  })

  it.each<[string, () => never]>([
    [
      'rejects',
      (async () => {
        throw new Error('no disk')
      }) as () => never,
    ],
    [
      'throws',
      () => {
        throw new Error('no disk')
      },
    ],
  ])('that %s falls back like any other; the compressor cannot', async (_, load) => {
    const project = await createProject()
    const withLcm = project.discovery({ builtIn: [builtIn('compressor'), builtIn('lcm', load)] })
    expect(await withLcm.resolve('lcm')).toMatchObject({
      definition: { name: 'compressor' },
      warnings: [{ code: 'engine-unavailable', message: expect.stringContaining('no disk') }],
    })
    const without = project.discovery({ builtIn: [builtIn('compressor', load)] })
    for (const choice of ['compressor', 'nowhere'])
      await expect(without.resolve(choice)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
  })

  it('cannot be shadowed by anything', async () => {
    const project = await createProject({ 'package.json': '{"dependencies": {"@acme/compressor": "1"}}' })
    await project.plugin('compressor')
    await project.installed('@acme/compressor', engineField('compressor'))
    const discovery = project.discovery()
    const warning = discovery.registerContextEngine(definition('compressor'))
    expect(warning).toEqual({
      code: 'engine-name-taken',
      message:
        'an engine named "compressor" was not registered, because the name belongs to a built-in engine; give it another name',
    })
    const list = await discovery.list({ choice: 'compressor' })
    expect(list.map(({ source, available }) => [source, available])).toEqual([
      ['built-in', true],
      ['directory', false],
      ['registered', false],
      ['package', false],
    ])
    expect(new Set(list.slice(1).map(({ reason }) => reason))).toEqual(
      new Set(['the name "compressor" belongs to a built-in engine; rename this one']),
    )
    expect((await discovery.resolve('compressor')).entry.source).toBe('built-in')
    expect((await discovery.resolve('@acme/compressor')).warnings).toMatchObject([
      { code: 'engine-unavailable' },
    ])
  })
})

describe('a registered engine', () => {
  it('is used; the same again is fine, a different one of its name is refused', async () => {
    const project = await createProject()
    const discovery = project.discovery()
    const first = definition('mine')
    expect(discovery.registerContextEngine(first)).toBeUndefined()
    expect(discovery.registerContextEngine(first)).toBeUndefined()
    expect(discovery.registerContextEngine(definition('mine'))).toEqual({
      code: 'engine-name-taken',
      message:
        'an engine named "mine" was not registered, because the name belongs to another registered engine; give it another name',
    })
    expect((await discovery.resolve('mine')).definition).toBe(first)
  })

  it.each([
    undefined,
    {},
    { name: 'x', apiVersion: 1, create() {} },
    Object.assign(definition('x'), { apiVersion: 2 }),
    Object.assign(definition('x'), { name: '../x' }),
    Object.assign(definition('x'), { create: 1 }),
    new Proxy(
      {},
      {
        has() {
          throw new Error('no')
        },
      },
    ),
  ])('must be a definition, case %#', async (value) => {
    const discovery = (await createProject()).discovery()
    expect(() => discovery.registerContextEngine(value as unknown as EngineDefinition)).toThrow(
      InvalidEngineError,
    )
    expect(await discovery.list()).toHaveLength(1)
  })
})

describe('the first source that claims a name owns it', () => {
  it('and later ones are listed with the reason', async () => {
    const project = await createProject({
      'package.json': '{"dependencies": {"window": "1", "@acme/mine": "1"}}',
    })
    await project.plugin('window')
    await project.installed('window', engineField('window'))
    await project.installed('@acme/mine', engineField('mine'))
    const discovery = project.discovery()
    discovery.registerContextEngine(definition('window'))
    discovery.registerContextEngine(definition('mine'))
    const list = await discovery.list()
    expect(list.map(({ name, source, available }) => [name, source, available])).toEqual([
      ['compressor', 'built-in', true],
      ['window', 'directory', true],
      ['mine', 'registered', true],
      ['window', 'registered', false],
      ['mine', 'package', false],
      ['window', 'package', false],
    ])
    expect(list[3]?.reason).toBe(
      `the name "window" belongs to the plugin in ${project.root}/plugins/context_engine/window; rename this one`,
    )
    expect(list[4]?.reason).toBe(
      'the name "mine" belongs to an engine that is registered in code; rename this one',
    )
    expect((await discovery.resolve('mine')).entry.source).toBe('registered')
    expect((await discovery.resolve('@acme/mine')).warnings).toHaveLength(1)
  })

  it('even when it is broken: nothing takes its place silently', async () => {
    const project = await createProject({ 'package.json': '{"dependencies": {"@acme/window": "1"}}' })
    await project.plugin('window', { 'plugin.yaml': 'name: [' })
    await project.installed('@acme/window', engineField('window'))
    const discovery = project.discovery()
    expect((await discovery.list()).map(({ available }) => available)).toEqual([true, false, false])
    const { definition, warnings } = await discovery.resolve('window')
    expect(definition.name).toBe('compressor')
    expect(warnings[0]?.message).toContain('plugin.yaml line 1')
  })
})

describe('a choice that nothing has', () => {
  it('runs on the compressor, loudly', async () => {
    const project = await createProject()
    await project.plugin('window')
    await project.plugin('windom', { 'plugin.yaml': '[' })
    expect(await project.discovery().resolve('windov')).toMatchObject({
      definition: { name: 'compressor' },
      entry: { name: 'compressor', source: 'built-in' },
      warnings: [
        {
          code: 'engine-not-found',
          message:
            'the context engine "windov" was not found (did you mean "window"?); available: compressor, window; the session runs on the built-in compressor instead (context.strict: true makes this an error)',
        },
      ],
    })
  })
})

it('a plugin is loaded once, however often it is resolved', async () => {
  const project = await createProject()
  await project.plugin('once', {
    'index.js': engineModule('once', { extra: 'globalThis.onces = (globalThis.onces ?? 0) + 1' }),
  })
  const discovery = project.discovery()
  const all = await Promise.all([
    discovery.resolve('once'),
    discovery.resolve('once'),
    project.discovery().resolve('once'),
  ])
  expect(new Set(all.map(({ definition }) => definition)).size).toBe(1)
  expect((globalThis as { onces?: number }).onces).toBe(1)
})

it('a module in TypeScript comes first, then index.js, then index.mjs', async () => {
  const project = await createProject()
  const text = engineModule('typed')
  await project.plugin('typed', {
    'index.ts': text.replace('definition =', 'definition: object ='),
    'index.js': 'throw 1',
    'index.mjs': 'throw 1',
  })
  await project.plugin('plain', { 'index.mjs': 'throw 1' })
  await project.plugin('last', { 'index.mjs': engineModule('last') })
  await rm(join(project.root, 'plugins/context_engine/last/index.js'))
  await project.plugin('named', {
    'plugin.yaml': 'name: named\nentry: ./src/engine.js',
    'src/engine.js': engineModule('named'),
    'index.js': 'throw 1',
  })
  const discovery = project.discovery()
  for (const name of ['typed', 'plain', 'last', 'named'])
    expect((await discovery.resolve(name, { strict: true })).definition.name).toBe(name)
})

it.each([
  [{ root: 'relative' }, 'root'],
  [{ userRoot: '~/mine' }, 'userRoot'],
  [{ builtIn: [] }, 'builtIn'],
  [{ builtIn: [builtIn('compressor'), builtIn('compressor')] }, 'builtIn'],
  [{ builtIn: [builtIn('compressor'), builtIn('My_Engine')] }, 'builtIn'],
  [{ loadTimeoutMs: 0 }, 'loadTimeoutMs'],
])('refuses wrong options, case %#', (options, path) => {
  const call = () =>
    createEngineDiscovery({ root: '/', builtIn: [builtIn('compressor')], ...options } as never)
  expect(call).toThrow(InvalidOptionError)
  expect(call).toThrow(expect.objectContaining({ path }))
})
