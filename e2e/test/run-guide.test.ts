import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runGuide } from '../run-guide.ts'

let parent = ''
let folder = ''
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'palimpsest-guide-'))
  folder = join(parent, 'start')
  await mkdir(folder)
})
afterEach(() => rm(parent, { recursive: true, force: true }))

const run = (...lines: string[]) =>
  runGuide(`${lines.join('\n')}\n`, { folder, env: { PATH: process.env.PATH } })

it('writes the files, runs the commands in their order, and leaves the rest to the reader', async () => {
  const guide = [
    ...['```ts file=src/a.ts', 'const a = `$1`', '```'],
    ...['```sh', 'cat src/a.ts', 'cd src', 'ls', '```', '', '```text', 'const … `$1`', '…a.ts', '```'],
    ...['- in a list:', '', '  ```json file=../next/b.json', '  { "b":', '    1 }', '  ```'],
    ...['```sh', 'cat ../next/b.json', '```', '```text', '{ "b":', '  1 }', '```'],
    ...['```yaml', 'not: written', '```', '```text', 'and not printed', '```'],
  ]
  expect(await run(...guide)).toEqual({ files: 2, commands: 2 })
  expect(await readFile(join(folder, 'src', 'a.ts'), 'utf8')).toBe('const a = `$1`\n')
})

it('changes a file as a diff says, or names the text that does not occur exactly once', async () => {
  const file = ['```ts file=a.ts', 'const a = 1', '', 'use(a)', 'use(a)', '```']
  const diff = [
    '```diff file=a.ts',
    '+import b',
    ' const a = 1',
    '@@',
    '-use(a)',
    '-use(a)',
    '+use(b)',
    '```',
  ]
  expect(await run(...file, ...diff)).toEqual({ files: 2, commands: 0 })
  expect(await readFile(join(folder, 'a.ts'), 'utf8')).toBe('import b\nconst a = 1\n\nuse(b)\n')
  await expect(run(...file, '```diff file=a.ts', '-use(a)', '```')).rejects.toThrow('not exactly once')
})

it('tells where a command fails, and does not go on behind it', async () => {
  const guide = ['# Guide', '', '```sh', 'echo printed # first', 'false && true', 'touch reached', '```']
  await expect(run(...guide)).rejects.toThrow('the block of line 3 exited with 1:\n| printed\nIt is:')
  expect(await readdir(folder)).toEqual([])
})

it('tells where the output is another one', async () => {
  await expect(run('```sh', 'echo one', '```', '```text', 'two', '```')).rejects.toThrow('before line 4')
})

it('tells of a warning', async () => {
  await expect(run('```sh', 'echo npm warn old >&2', '```')).rejects.toThrow('npm warn old')
})
