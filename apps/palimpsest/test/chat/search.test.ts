import { expect, test } from 'vitest'
import { toolBench } from './tool-bench.ts'

const FILES = {
  '.gitignore': 'dist/\n*.log\n!keep.log\n',
  'src/a.ts': 'const answer = 42\n',
  'src/deep/b.ts': 'export const answer = 43\n',
  'src/deep/.gitignore': 'local.ts\n',
  'src/deep/local.ts': 'answer\n',
  'dist/a.js': 'answer\n',
  'node.log': 'answer\n',
  'keep.log': 'answer\n',
  '.git/config': 'answer\n',
  'image.png': Buffer.from('answer\0\0', 'latin1'),
}

test('files that git leaves out are neither listed nor searched', async () => {
  const { use } = await toolBench(FILES)
  const found = await use('search_files', { pattern: 'answer' })
  expect(found.text.split('\n').slice(0, -1)).toEqual([
    'keep.log:1: answer',
    'src/a.ts:1: const answer = 42',
    'src/deep/b.ts:1: export const answer = 43',
  ])
  const below = await use('search_files', { pattern: 'ANSWER', path: 'src/deep', ignore_case: true })
  expect(below.text).toBe('src/deep/b.ts:1: export const answer = 43\n(1 lines found in 2 files)')
  const listed = await use('list_files', { pattern: '*.{ts,js}' })
  expect(listed.text).toBe('src/a.ts\nsrc/deep/b.ts\n(2 in all)')
  const folder = await use('list_files', {})
  expect(folder.text).toBe('.gitignore\nimage.png\nkeep.log\nsrc/\n(4 in all)')
})

test('a file that is named is searched even if git leaves it out, and only some with include', async () => {
  const { use } = await toolBench(FILES)
  expect((await use('search_files', { pattern: 'answer', path: 'node.log' })).text).toContain('node.log:1')
  const some = await use('search_files', { pattern: 'answer', include: 'src/*.ts' })
  expect(some.text).toBe('src/a.ts:1: const answer = 42\n(1 lines found in 1 files)')
  expect((await use('search_files', { pattern: 'x', path: 'image.png' })).text).toContain('a binary file')
})

test('a pattern that is no regular expression is explained', async () => {
  const { use } = await toolBench(FILES)
  const { ok, text } = await use('search_files', { pattern: 'call(' })
  expect(ok).toBe(false)
  expect(text).toContain('Unterminated group')
  expect(text).toContain('a backslash')
})

test('a pattern that would take for ever is ended', async () => {
  const { use } = await toolBench({ 'a.txt': `${'a'.repeat(60)}!\n` })
  const { ok, text } = await use('search_files', { pattern: '^(a+)+$' })
  expect(ok).toBe(false)
  expect(text).toContain('repetition within repetition')
})

test('many matches are shown in part, and long lines around the match', async () => {
  const { use } = await toolBench({
    'many.txt': 'needle\n'.repeat(5_000),
    'wide.txt': `${'x'.repeat(50_000)}pin${'x'.repeat(50_000)}`,
  })
  const many = await use('search_files', { pattern: 'needle' })
  expect(many.text.split('\n')).toHaveLength(201)
  expect(many.text).toContain('there are more')
  const wide = await use('search_files', { pattern: 'pin' })
  expect(wide.text.length).toBeLessThan(500)
  expect(wide.text).toContain('xpinx')
})
