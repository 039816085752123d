import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toolBench } from './tool-bench.ts'

test('an edit changes what stands there once, after consent to its diff, and nothing else', async () => {
  const bench = await toolBench({ 'run.sh': 'one\ntwo\nthree\n' })
  await chmod(join(bench.folder, 'run.sh'), 0o775)
  const { ok } = await bench.use('edit_file', { path: 'run.sh', old_text: 'two', new_text: '2' })
  expect(ok).toBe(true)
  expect(await readFile(join(bench.folder, 'run.sh'), 'utf8')).toBe('one\n2\nthree\n')
  expect((await stat(join(bench.folder, 'run.sh'))).mode & 0o777).toBe(0o775)
  expect(await readdir(bench.folder)).toEqual(['run.sh'])
  const [question] = bench.asked
  expect(question).toMatchObject({ kind: 'edit', subject: 'run.sh' })
  expect(question?.diff).toContain('--- a/run.sh\n+++ b/run.sh\n')
  expect(question?.diff).toContain('-two\n+2\n')
})

test('a text that stands there never or several times is explained with lines', async () => {
  const { use, asked } = await toolBench({ 'a.ts': 'if (a) {\n  return 1\n}\nreturn 1\n' })
  const twice = await use('edit_file', { path: 'a.ts', old_text: 'return 1', new_text: 'return 2' })
  expect(twice.text).toContain('stands in a.ts more than once (lines 2 and 4)')
  const spaced = await use('edit_file', { path: 'a.ts', old_text: 'if (a) {\n\treturn 1', new_text: '' })
  expect(spaced.text).toMatch(/is not in a\.ts; read it and copy the lines exactly, white space and all/)
  const none = await use('edit_file', { path: 'a.ts', old_text: 'zebra', new_text: '' })
  expect(none.text).toContain('old_text is not in a.ts; read it')
  const same = await use('edit_file', { path: 'a.ts', old_text: '}', new_text: '}' })
  expect(same.text).toContain('the same')
  expect(asked).toEqual([])
})

test('line breaks, a byte order mark and dollar signs stay what they are', async () => {
  const { folder, use } = await toolBench({ 'a.txt': '\ufeffone\r\ntwo\r\nthree\r\n' })
  await use('edit_file', { path: 'a.txt', old_text: 'one\ntwo', new_text: "1\n$& $'" })
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe("\ufeff1\r\n$& $'\r\nthree\r\n")
})

test('a file in another encoding, a binary and a read-only one are left alone', async () => {
  const { folder, use } = await toolBench({
    'latin.txt': Buffer.from('gr\xfcn', 'latin1'),
    'a.bin': Buffer.from('a\0'),
    'fixed.txt': 'old',
  })
  await chmod(join(folder, 'fixed.txt'), 0o444)
  expect((await use('edit_file', { path: 'latin.txt', old_text: 'gr', new_text: '' })).text).toContain(
    'UTF-8',
  )
  expect((await use('write_file', { path: 'a.bin', content: 'x' })).text).toContain('is a binary file')
  expect((await use('write_file', { path: 'fixed.txt', content: 'new' })).text).toContain('read-only')
  expect(await readFile(join(folder, 'fixed.txt'), 'utf8')).toBe('old')
})

test('a no changes nothing and is told; always is not asked again for the same kind', async () => {
  const answers = ['no', 'always'] as const
  let asked = 0
  const { folder, use } = await toolBench({ 'a.txt': '1' }, { confirm: async () => answers[asked++] ?? 'no' })
  const refused = await use('write_file', { path: 'a.txt', content: '2' })
  expect(refused.ok).toBe(false)
  expect(refused.text).toContain('the user said no')
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('1')
  await use('write_file', { path: 'a.txt', content: '3' })
  await use('write_file', { path: 'b.txt', content: '4' })
  expect(asked).toBe(2)
  expect(await readFile(join(folder, 'b.txt'), 'utf8')).toBe('4')
  await use('edit_file', { path: 'b.txt', old_text: '4', new_text: '5' })
  expect(asked).toBe(3)
})

test('a file that changes while the person thinks is left alone', async () => {
  const bench = await toolBench(
    { 'a.txt': 'old' },
    {
      async confirm() {
        await writeFile(join(bench.folder, 'a.txt'), 'theirs')
        return 'yes'
      },
    },
  )
  const { text } = await bench.use('write_file', { path: 'a.txt', content: 'mine' })
  expect(text).toContain('changed in the meantime')
  expect(await readFile(join(bench.folder, 'a.txt'), 'utf8')).toBe('theirs')
})
