import { expect, test } from 'vitest'
import { diffVersions } from '../../web/src/ui/diff-versions.ts'

test('a line that was appended is all that changed, though no line break ended the text', () => {
  expect(diffVersions('Decisions\n- a', 'Decisions\n- a\n- b')).toEqual([
    { type: 'same', text: 'Decisions\n- a\n' },
    { type: 'added', text: '- b\n' },
  ])
})

test('what stayed is shown next to a change only', () => {
  const lines = Array.from({ length: 40 }, (_, line) => `line ${line}`)
  const after = lines.with(20, 'another')
  const text = (from: number, to: number) =>
    lines
      .slice(from, to)
      .map((line) => `${line}\n`)
      .join('')
  expect(diffVersions(lines.join('\n'), after.join('\n'))).toEqual([
    { type: 'left out', lines: 18, text: text(0, 18) },
    { type: 'same', text: 'line 18\nline 19\n' },
    { type: 'removed', text: 'line 20\n' },
    { type: 'added', text: 'another\n' },
    { type: 'same', text: 'line 21\nline 22\n' },
    { type: 'left out', lines: 17, text: text(23, 40) },
  ])
})

test('texts with nothing in common are given up', () => {
  const text = (word: string) => Array.from({ length: 3_000 }, (_, line) => `${word} ${line}`).join('\n')
  expect(diffVersions(text('before'), text('after'))).toBeNull()
})
