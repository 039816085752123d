import { mkdir, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { createProject, engineField, type Project } from './project.ts'

vi.mock(import('../../src/discovery/import-module.ts'), async () => {
  const { createRequire } = await import('node:module')
  // Node's own import instead of the test runner's, whose errors are others.
  return createRequire(import.meta.url)('../../src/discovery/import-module.ts')
})

const dependsOn = (...names: readonly string[]) => ({
  'package.json': JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '1'])) }),
})

const fromPackages = async ({ discovery }: Project) =>
  (await discovery().list()).filter(({ source }) => source === 'package')

describe('a package that is an engine', () => {
  it('is chosen by the name of the engine, or by its own', async () => {
    const project = await createProject(dependsOn('@acme/topics'))
    await project.installed('@acme/topics', engineField('topics'))
    const discovery = project.discovery()
    for (const choice of ['topics', '@acme/topics']) {
      const { definition, entry, warnings } = await discovery.resolve(choice, { strict: true })
      expect([definition.name, entry.location, warnings]).toEqual(['topics', '@acme/topics', []])
    }
  })

  it('is found where pnpm keeps it, with what it needs beside it', async () => {
    const project = await createProject(dependsOn('@acme/topics'))
    await project.installed('@acme/topics', engineField('topics'))
    const module = 'node_modules/@acme/topics/dist/index.js'
    await project.write(module, "export { default } from 'helper'")
    await project.installed('helper', engineField('topics'), {
      exports: './dist/index.js',
      contextEngine: undefined,
    })
    const store = join(project.root, 'node_modules/.pnpm/@acme+topics@2.0.0/node_modules')
    await mkdir(join(store, '@acme'), { recursive: true })
    for (const name of ['@acme/topics', 'helper'])
      await rename(join(project.root, 'node_modules', name), join(store, name))
    await symlink(join(store, '@acme/topics'), join(project.root, 'node_modules/@acme/topics'))

    const { definition } = await project.discovery().resolve('topics', { strict: true })
    expect(definition.name).toBe('topics')
  })
})

describe('a broken package is named with its reason and hides nothing', () => {
  const entry = 'contextEngine.entry: must be the path of a module in the package, such as "./dist/index.js"'
  it.each<[string, unknown, string, string]>([
    ['a text', 'x.js', 'contextEngine: must be an object with name, apiVersion and entry', '@acme/broken'],
    ['no name', { apiVersion: 1, entry: 'x' }, 'must be the name of the engine', '@acme/broken'],
    ['a name that climbs', engineField('../x'), 'contextEngine.name: must be kebab-case', '@acme/broken'],
    [
      'no version of the contract',
      engineField('broken', { apiVersion: undefined }),
      'contextEngine.apiVersion: must be the version of the engine contract, such as 1',
      'broken',
    ],
    ['no entry', engineField('broken', { entry: undefined }), entry, 'broken'],
    ['one that leads out', engineField('broken', { entry: '../good/x.js' }), 'leads out', 'broken'],
  ])('%s', async (_, field, reason, name) => {
    const project = await createProject(dependsOn('@acme/broken', 'good'))
    await project.installed('@acme/broken', field)
    await project.installed('good', engineField('good'))
    const entries = await fromPackages(project)
    expect(entries.find(({ location }) => location === '@acme/broken')).toMatchObject({
      name,
      available: false,
      reason: expect.stringContaining(reason),
    })
    expect(entries.find(({ location }) => location === 'good')).toMatchObject({ available: true })
    const discovery = project.discovery()
    expect((await discovery.resolve('good')).warnings).toEqual([])
    for (const choice of new Set(['@acme/broken', name])) {
      const { definition, warnings } = await discovery.resolve(choice)
      expect([definition.name, warnings[0]?.code]).toEqual(['compressor', 'engine-unavailable'])
      expect(warnings[0]?.message).toContain(reason)
    }
  })

  it('that does not claim to be an engine', async () => {
    const project = await createProject(dependsOn('lodash'))
    await project.installed('lodash')
    expect(await fromPackages(project)).toEqual([])
    await expect(project.discovery().resolve('lodash', { strict: true })).rejects.toThrow(
      'its package.json has no "contextEngine" field, so it is not a context engine',
    )
  })

  it('that is not installed', async () => {
    const project = await createProject(dependsOn('engine-b'))
    await symlink('nowhere', join(project.root, 'node_modules')).catch(() => {})
    expect(await fromPackages(project)).toEqual([])
    await expect(project.discovery().resolve('engine-b', { strict: true })).rejects.toThrow(
      'it is a dependency and not installed; install the dependencies',
    )
  })
})

it('the first of two packages of one name has it, and the other is named with its reason', async () => {
  const project = await createProject(dependsOn('@acme/window', 'fork-of-window'))
  await project.installed('@acme/window', engineField('window'))
  await project.installed('fork-of-window', engineField('window'))
  expect(await fromPackages(project)).toMatchObject([
    { location: '@acme/window', available: true },
    {
      location: 'fork-of-window',
      available: false,
      reason: 'the name "window" belongs to the package "@acme/window"; rename this one',
    },
  ])
})
