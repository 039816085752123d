import fc from 'fast-check'
import { expect, it } from 'vitest'
import { systemPrompt } from '../../src/serve/system-prompt.ts'

const tags = [
  'role',
  'repository',
  'relevant_code',
  'code',
  'project_decisions',
  'recent_decisions',
  'conversation_summary',
]
const piece = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\n', '\r', '\u0000', '\u0085', '<', '>', '</', '\ud83d', ' '),
  fc
    .constantFrom(...tags)
    .chain((tag) => fc.constantFrom(`<${tag}>`, `</${tag}>`, `</ ${tag.toUpperCase()} >`, `<\n/${tag}`)),
)
const hostile = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
const ANY_TAG = new RegExp(`<\\s*/?\\s*(?:${tags.join('|')})\\b`, 'gi')

it('has the same blocks whatever stands in names, paths and code', () => {
  const codes = fc.array(fc.record({ path: fc.option(hostile, { nil: undefined }), code: hostile }), {
    maxLength: 4,
  })
  fc.assert(
    fc.property(fc.option(hostile, { nil: undefined }), codes, (name, pieces) => {
      const text = systemPrompt(name, pieces)
      const harmless = systemPrompt(
        name && 'x',
        pieces.map(({ path, code }) => ({ path: path && 'x', code: code && 'x' })),
      )
      expect(text.match(ANY_TAG)).toEqual(harmless.match(ANY_TAG))
      expect(text).not.toMatch(/[^\P{Cc}\n\t]/u)
      expect(systemPrompt(name, structuredClone(pieces))).toBe(text)
    }),
  )
})

it('takes a long code in linear time', () => {
  for (const code of ['< '.repeat(2_000_000), `<${' '.repeat(2_000_000)}`, '</'.repeat(2_000_000)])
    expect(systemPrompt(undefined, [{ code }]).length).toBeLessThan(200_000)
})
