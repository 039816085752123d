import { open } from 'node:fs/promises'
import { join } from 'node:path'
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

test('the beginning and the end of a log of 10 GB are read without the rest', async () => {
  const { folder, use } = await toolBench()
  const log = await open(join(folder, 'big.log'), 'w')
  await log.write(`${lines(1, 2_000).join('\n')}\n`)
  await log.truncate(10_000_000_000)
  await log.write('\nlast but one\nlast\n', 10_000_000_000)
  await log.close()
  expect((await use('read_file', { path: 'big.log', limit: 1 })).text).toContain('1\tline 1\n')
  const end = await use('read_file', { path: 'big.log', offset: -2 })
  expect(end.text).toContain('last but one\nlast\n')
})

test('what is no text is refused with its kind and size', async () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0', 'latin1')
  const { use } = await toolBench({ 'a.png': png, 'b.bin': Buffer.alloc(2_500) })
  expect((await use('read_file', { path: 'a.png' })).text).toContain('a.png is a PNG image of 11 bytes')
  expect((await use('read_file', { path: 'b.bin' })).text).toContain('b.bin is a binary file of 2.5 kB')
})

test('UTF-16 is read, and bytes that are no UTF-8 do not break the rest', async () => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('grün\nrot', 'utf16le')])
  const { use } = await toolBench({ 'a.txt': utf16, 'b.txt': Buffer.from('gr\xfcn\nrot', 'latin1') })
  expect((await use('read_file', { path: 'a.txt' })).text).toContain('1\tgrün\n2\trot')
  expect((await use('read_file', { path: 'b.txt' })).text).toContain('1\tgr\ufffdn\n2\trot')
})

test('wrong arguments are explained', async () => {
  const { use } = await toolBench()
  expect((await use('read_file', { file: 'a' })).text).toMatch(/no argument "file".*path/)
  expect((await use('read_file', { path: 7 })).text).toContain('"path" is wrong')
  expect((await use('read_file', 'a.txt')).text).toContain('one JSON object')
  expect((await use('read_file', { path: 'nothing.txt' })).text).toContain('list_files shows what there is')
})
