import { expect, test } from 'vitest'
import { toolBench } from './tool-bench.ts'

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`)

test('a file is read line by line, and the end of each part says how to see more', async () => {
  const { use } = await toolBench({
    'a.txt': `${lines(1, 10).join('\n')}\n`,
    'open.txt': 'one\r\ntwo',
    empty: '',
  })
  expect((await use('read_file', { path: 'a.txt', limit: 2 })).text).toBe(
    '1\tline 1\n2\tline 2\n(lines 1 to 2; the file goes on: offset 3 shows more)',
  )
  expect((await use('read_file', { path: 'a.txt', offset: 9 })).text).toBe(
    '9\tline 9\n10\tline 10\n(the end of the file: 10 lines)',
  )
  expect((await use('read_file', { path: 'a.txt', offset: -1 })).text).toBe(
    '10\tline 10\n(the end of the file: 10 lines)',
  )
  expect((await use('read_file', { path: 'a.txt', offset: 11 })).text).toBe('(a.txt has only 10 lines)')
  expect((await use('read_file', { path: 'open.txt' })).text).toBe(
    '1\tone\n2\ttwo\n(the whole file: 2 lines)',
  )
  expect((await use('read_file', { path: 'open.txt', offset: 3 })).text).toBe('(open.txt has only 2 lines)')
  expect((await use('read_file', { path: 'empty' })).text).toBe('(empty is empty)')
})

test('no part of a file fills a large part of the window', async () => {
  const { use } = await toolBench(
    { 'a.txt': `${'x'.repeat(90)}\n`.repeat(5_000), long: 'y'.repeat(3_000_000) },
    { window: 8_000 },
  )
  const part = await use('read_file', { path: 'a.txt' })
  expect(part.text.length).toBeLessThan(8_000 * 4 * 0.2)
  expect(part.text).toMatch(/the file goes on: offset \d+ shows more\)$/)
  const long = await use('read_file', { path: 'long' })
  expect(long.text.length).toBeLessThan(3_000)
  expect(long.text).toContain('(the line goes on)')
})

test('what is no text, and what is too large, is refused; bytes that are no UTF-8 do not break the rest', async () => {
  const { use } = await toolBench({
    'b.bin': Buffer.alloc(2_500),
    large: 'x\n'.repeat(6_000_000),
    'b.txt': Buffer.from('gr\xfcn\nrot', 'latin1'),
  })
  expect((await use('read_file', { path: 'b.bin' })).text).toContain('b.bin is a binary file')
  expect((await use('read_file', { path: 'large' })).text).toContain('is larger than 10485760 bytes')
  expect((await use('read_file', { path: 'b.txt' })).text).toContain('1\tgr\ufffdn\n2\trot')
})

test('wrong arguments are explained', async () => {
  const { use } = await toolBench()
  expect((await use('read_file', { file: 'a' })).text).toMatch(/no argument "file".*path/)
  expect((await use('read_file', { path: 7 })).text).toContain('"path" is wrong')
  expect((await use('read_file', 'a.txt')).text).toContain('one JSON object')
  expect((await use('read_file', { path: 'nothing.txt' })).text).toContain('list_files shows what there is')
})
