import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { ExampleHost } from '../example-host.ts'
import { fencedBlocks } from '../fenced-blocks.ts'
import { runCommand } from '../run-command.ts'
import { tryRest } from '../try-rest.ts'

async function tried(lines: readonly string[], rest: ExampleHost['rest'] = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-rest-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return tryRest(fencedBlocks(`${lines.join('\n')}\n`), {
    host: { prints: [], rest },
    folder,
    run: (command) => runCommand('bash', ['-c', command], { cwd: folder }),
  })
}

const SHELL = ['```sh', 'echo one   # a comment', 'cat config.yaml', '```']
const YAML = ['```yaml', '# config.yaml', 'a: 1', '```']

it('runs each line and example, writes the configuration, and compares what is shown as printed', async () => {
  const example = ['```ts', 'console.log(name as string)', '```', '```text', 'Ann', '```']
  const printed = ['```text', 'a: 1', '```']
  expect(
    await tried([...YAML, ...SHELL, ...printed, ...example], { before: "globalThis.name = 'Ann'" }),
  ).toEqual({ faults: [], ran: 3, left: [] })
})

it('leaves out what has a reason, and says it', async () => {
  const { faults, ran, left } = await tried([...YAML, ...SHELL], { cannot: { 'echo one': 'it is loud' } })
  expect({ faults, ran, left }).toEqual({ faults: [], ran: 1, left: ['echo one: it is loud'] })
})

it.each([
  ['a command that fails', ['```sh', 'false', '```'], /^false: exited with 1/],
  ['another output', ['```sh', 'echo one', '```', '```text', 'two', '```'], /is not what was printed/],
  ['a block of another language', ['```sql', 'SELECT 1', '```'], /can neither run nor be compared: say why/],
  ['an example whose names are not there', ['```ts', 'missing()', '```'], /missing is not defined/],
])('finds a fault in %s', async (_, lines, fault) => {
  const { faults } = await tried(lines)
  expect(faults).toEqual([expect.stringMatching(fault)])
})

it('finds a reason for what is not there any more', async () => {
  const { faults } = await tried(SHELL.slice(0, 2).concat('```'), { cannot: { gone: 'for ever' } })
  expect(faults).toEqual(['no block has "gone"'])
})
