import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createProject, engineModule } from './project.ts'

const IMPOSSIBLE = [
  ...['../x', '', '/etc/passwd', 'plugins/x', 'a\\b', 'C:\\x', 'a\0b', 'Window', '@acme/', '@acme/../x'],
  ...['file:///x', 'node:fs', 'node_modules', 'x'.repeat(215), '\u202ewodniw', 'ｗｉｎｄｏｗ'],
  ...[undefined, 5, Object.create(null)],
]

it.each(IMPOSSIBLE)('a name that nothing can have is refused: %j', async (choice) => {
  const project = await createProject({ 'x/index.js': engineModule('x'), 'x/plugin.yaml': 'name: x' })
  const discovery = project.discovery()
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
})

it('any choice at all is answered', async () => {
  const project = await createProject({ 'package.json': '{}' })
  await project.plugin('window')
  const discovery = project.discovery()
  const pieces = ['..', '/', '\\', '@', 'window', '.', '-', '\0', 'node_modules', '__proto__', ' ']
  const choice = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((parts) => parts.join('')),
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
