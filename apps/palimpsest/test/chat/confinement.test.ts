import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toolBench } from './tool-bench.ts'

/** Ways out of a workspace that has a link `out` to the folder around it and `gone` to nowhere. */
const WAYS_OUT = [
  '../secret.txt',
  'src/../../secret.txt',
  '/etc/hostname',
  'out/secret.txt',
  'out/new.txt',
  'out/new/new.txt',
  'secret-link',
  'gone',
  'gone/new.txt',
  'loop/new.txt',
  'nul\0.txt',
]

test('nothing outside the workspace is read, listed, searched or written, by any path', async () => {
  const bench = await toolBench({ 'src/a.ts': 'inside\n' })
  const { folder, around, use } = bench
  await writeFile(join(around, 'secret.txt'), 'the secret\n')
  await symlink(around, join(folder, 'out'))
  await symlink(join(around, 'secret.txt'), join(folder, 'secret-link'))
  await symlink(join(around, 'nothing'), join(folder, 'gone'))
  await symlink('loop', join(folder, 'loop'))

  for (const path of WAYS_OUT) {
    const answers = [
      await use('read_file', { path }),
      await use('list_files', { path }),
      await use('list_files', { path, pattern: '**' }),
      await use('search_files', { path, pattern: '.' }),
      await use('edit_file', { path, old_text: 'the secret', new_text: 'mine' }),
      await use('write_file', { path, content: 'mine' }),
    ]
    for (const { ok, text } of answers) {
      expect({ path, ok }).toEqual({ path, ok: false })
      expect(text).toMatch(/^Error: /)
      expect(text).not.toContain('the secret')
    }
  }
  expect(bench.asked).toEqual([])
  expect(await readFile(join(around, 'secret.txt'), 'utf8')).toBe('the secret\n')
  const everything = await use('search_files', { pattern: 'secret' })
  expect(everything.text).toBe('(0 lines found in 1 files)')
})

test('a link inside the workspace is followed, and an absolute path inside it taken', async () => {
  const { folder, use } = await toolBench({ 'src/a.ts': 'inside\n' })
  await symlink('src', join(folder, 'link'))
  expect((await use('read_file', { path: 'link/a.ts' })).text).toContain('inside')
  expect((await use('read_file', { path: join(folder, 'src/a.ts') })).text).toContain('inside')
})

test('a place that turns into a link to the outside while the person thinks is not written', async () => {
  const bench = await toolBench(
    { 'docs/a.md': 'old\n' },
    {
      async confirm() {
        await rm(join(bench.folder, 'docs'), { recursive: true })
        await symlink(bench.around, join(bench.folder, 'docs'))
        return 'yes'
      },
    },
  )
  await writeFile(join(bench.around, 'a.md'), 'old\n')
  const { ok } = await bench.use('edit_file', { path: 'docs/a.md', old_text: 'old', new_text: 'new' })
  expect(ok).toBe(false)
  expect(await readFile(join(bench.around, 'a.md'), 'utf8')).toBe('old\n')
})

test('pipes, devices and folders are never opened', async () => {
  const { folder, use } = await toolBench({ 'a/b.txt': '' })
  execFileSync('mkfifo', [join(folder, 'pipe')])
  await mkdir(join(folder, 'sub'))
  expect((await use('read_file', { path: 'pipe' })).text).toContain(
    'is a pipe, a device or a link; name a regular file',
  )
  expect((await use('search_files', { path: 'pipe', pattern: 'x' })).text).toContain('is a pipe')
  expect((await use('write_file', { path: 'pipe', content: 'x' })).text).toContain('is a pipe')
  expect((await use('read_file', { path: 'sub' })).text).toContain('list_files')
  expect((await use('search_files', { pattern: 'x' })).ok).toBe(true)
})

test("git's own folder is not written", async () => {
  const bench = await toolBench()
  const { text } = await bench.use('write_file', { path: '.git/hooks/pre-commit', content: 'rm -rf /' })
  expect(text).toContain('belongs to git')
  expect(bench.asked).toEqual([])
})
