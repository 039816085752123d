import * as fs from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createProject, engineModule } from './project.ts'

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>()
  const watched = Object.entries(real).map(([key, value]) => [
    key,
    typeof value === 'function' ? vi.fn(value as never) : value,
  ])
  return Object.fromEntries(watched)
})

function touches(): number {
  const reading = [fs.stat, fs.lstat, fs.readFile, fs.readdir, fs.realpath, fs.readlink]
  return reading.reduce((sum, each) => sum + vi.mocked(each).mock.calls.length, 0)
}

describe('a name that nothing can have', () => {
  it.each([
    '../x',
    '',
    '/etc/passwd',
    'plugins/x',
    'a\\b',
    'C:\\x',
    'a\0b',
    'Window',
    '@acme/',
    '@acme/../x',
    'file:///x',
    'node:fs',
    'node_modules',
    'x'.repeat(215),
    '\u202ewodniw',
    'ｗｉｎｄｏｗ',
    undefined,
    5,
    Object.create(null),
  ])('is refused without touching the disk: %j', async (choice) => {
    const project = await createProject({
      'x/index.js': engineModule('x'),
      'x/plugin.yaml': 'name: x',
    })
    const discovery = project.discovery()
    const before = touches()
    expect(await discovery.find(choice as string)).toBeUndefined()
    const { definition, warnings } = await discovery.resolve(choice as string)
    expect(definition.name).toBe('compressor')
    expect(warnings).toMatchObject([{ code: 'engine-not-found' }])
    expect(warnings[0]?.message).toMatch(
      /^context\.engine: ".*" is neither the name of an engine, such as "my-engine", nor of an npm package; the session runs/,
    )
    expect(warnings[0]?.message.length).toBeLessThan(500)
    await expect(discovery.resolve(choice as string, { strict: true })).rejects.toMatchObject({
      code: 'UNKNOWN_ENGINE',
    })
    expect(touches()).toBe(before)
    if (choice === undefined) return
    expect((await discovery.list({ choice: choice as string })).at(-1)).toMatchObject({
      source: 'none',
      chosen: true,
    })
  })

  it('the built-in engines need no disk either', async () => {
    const discovery = (await createProject()).discovery()
    const before = touches()
    await discovery.resolve('compressor')
    await discovery.find('compressor')
    expect(touches()).toBe(before)
    await discovery.find('window')
    expect(touches()).toBeGreaterThan(before)
  })
})

it('any choice at all is answered', async () => {
  const project = await createProject({ 'package.json': '{}' })
  await project.plugin('window')
  const discovery = project.discovery()
  const piece = fc.constantFrom(
    '..',
    '/',
    '\\',
    '@',
    'window',
    '.',
    '-',
    '\0',
    'node_modules',
    '__proto__',
    ' ',
  )
  const choice = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.array(piece, { maxLength: 6 }).map((parts) => parts.join('')),
  )
  await fc.assert(
    fc.asyncProperty(choice, async (name) => {
      const list = await discovery.list({ choice: name })
      const chosen = list.filter((entry) => entry.chosen)
      expect(chosen).toHaveLength(1)
      expect(list.filter(({ available }) => available)).toHaveLength(2)
      expect(chosen[0]?.available).toBe(name === 'window')
      expect(chosen[0]?.name).not.toMatch(/\p{Cc}/u)
    }),
  )
})
