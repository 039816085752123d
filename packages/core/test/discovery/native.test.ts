import { execFile } from 'node:child_process'
import { readFile, symlink } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createProject, engineField } from './project.ts'

const run = promisify(execFile)

it('works in a process of its own, which ends although a plugin never finishes loading', async () => {
  const project = await createProject({
    'package.json': '{"type": "module", "dependencies": {"engine-b": "1"}}',
  })
  await project.plugin('hangs', { 'index.js': 'await new Promise(() => {})' })
  await project.plugin('typed', { 'index.ts': 'export const kind: string = "none"' })
  await project.installed('engine-b', engineField('engine-b'))
  const discovery = new URL('../../src/discovery.ts', import.meta.url).href
  await project.write(
    'main.mjs',
    `
import { createEngineDiscovery } from ${JSON.stringify(discovery)}
const definition = Object.defineProperty(
  { name: 'compressor', apiVersion: 1, description: '', create: () => ({}) },
  Symbol.for('palimpsest.context-engine'),
  { value: 1 },
)
const discovery = createEngineDiscovery({
  root: import.meta.dirname,
  builtIn: [{ name: 'compressor', version: '0', description: '', load: async () => definition }],
  loadTimeoutMs: 300,
})
for (const choice of ['hangs', 'typed', 'engine-b']) {
  const { definition, warnings } = await discovery.resolve(choice)
  console.log(definition.name, ...warnings.map(({ message }) => message))
}
`,
  )
  const { stdout, stderr } = await run(process.execPath, [
    '--conditions=@palimpsest/source',
    `${project.root}/main.mjs`,
  ])
  expect(stdout.trim().split('\n')).toEqual([
    expect.stringMatching(/^compressor .*"hangs" cannot be used: it did not finish loading in 300 ms/),
    expect.stringMatching(/^compressor .*"typed" cannot be used: its module has no default export/),
    'engine-b',
  ])
  expect(stderr).toBe('')
})

it('the example of the readme works: the engine of config.yaml, or the compressor with a warning', async () => {
  const project = await createProject({
    'package.json': '{"type": "module"}',
    'main.ts': `${await readmeExample()}`,
  })
  await project.plugin('topic-window')
  await project.installed('@palimpsest/compressor', engineField('compressor'), { exports: './dist/index.js' })
  await symlink(
    fileURLToPath(new URL('../..', import.meta.url)),
    `${project.root}/node_modules/@palimpsest/core`,
  )
  const main = () => run(process.execPath, ['--conditions=@palimpsest/source', `${project.root}/main.ts`])

  await project.write('config.yaml', 'context:\n  engine: topic-window\ntopic-window: {}\n')
  expect(await main()).toEqual({ stdout: 'topic-window\n', stderr: '' })
  await project.write('config.yaml', 'context: {engine: topic-windows}\n')
  const { stdout, stderr } = await main()
  expect(stdout).toBe('compressor\n')
  expect(stderr).toContain('"topic-windows" was not found (did you mean "topic-window"?)')
  await project.write('config.yaml', 'context: {engine: topic-windows, strict: true}\n')
  await expect(main()).rejects.toThrow('UNKNOWN_ENGINE')
})

async function readmeExample(): Promise<string> {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const examples = Array.from(readme.matchAll(/```ts\n(.*?)```/gs), ([, text]) => text ?? '')
  return examples.find((text) => text.includes('createEngineDiscovery')) ?? ''
}
