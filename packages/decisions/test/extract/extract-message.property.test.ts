import { runInNewContext } from 'node:vm'
import { type Message, messageText } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Candidate, Span } from '../../src/candidates/candidate.ts'
import { extractMessage } from '../../src/extract/extract-message.ts'

/** Pieces that meet every reader, between anything at all. */
const PIECES = [
  'use Postgres for the database',
  'switch from Redis to',
  'instead of',
  'not MongoDB',
  'set max retries to 5',
  'rename `a_b` to c_d',
  'never push to main',
  'because',
  'yes',
  'option 2',
  '1. Redis\n2. Kafka\n',
  'Which cache?\n',
  'MAX_SIZE=3',
  '```\n',
  '> ',
  '<note>',
  '</note>',
  '<system-reminder>',
  'sessions live in sessions.db',
  '数据库用PostgreSQL',
  'を使いましょう',
  '"',
  '`',
  '\n',
  '. ',
  ', ',
  ' ',
  ':',
  '\u0000',
  '\ud800',
  '\udc00',
  '__proto__',
  'user: ',
  '— ',
  'drop Redis',
  'it is',
  'port 8080',
  '-',
  '**',
]
const text = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ unit: 'binary' })), {
    maxLength: 60,
  })
  .map((parts) => parts.join(''))
const role = fc.constantFrom('user' as const, 'assistant' as const)

const spansOf = (candidate: Candidate): readonly Span[] =>
  candidate.kind === 'accept' ? [candidate.span, ...candidate.proposals] : [candidate.span]

describe('any text', () => {
  it('gives spans in range, trimmed, of at most 400 characters, and at most 32 candidates', () => {
    fc.assert(
      fc.property(role, text, text, (role, content, before) => {
        const message = { role, content } as Message
        const input = { index: 1, message, previous: { index: 0, text: before } }
        const candidates = extractMessage(input)
        expect(candidates.length).toBeLessThanOrEqual(32)
        for (const span of candidates.flatMap(spansOf)) {
          const source = span.message === 1 ? content : before
          const quote = source.slice(span.start, span.end)
          expect(span.start).toBeGreaterThanOrEqual(0)
          expect(span.end).toBeLessThanOrEqual(source.length)
          expect(quote.length).toBeGreaterThan(0)
          expect(quote.length).toBeLessThanOrEqual(400)
          expect(quote).toBe(quote.trim())
        }
      }),
      { numRuns: 300 },
    )
  })

  it('is read the same way twice, and left as it was', () => {
    fc.assert(
      fc.property(role, text, (role, content) => {
        const message = { role, content } as Message
        const copy = structuredClone(message)
        const first = extractMessage({ index: 0, message })
        expect(extractMessage({ index: 0, message })).toEqual(first)
        expect(message).toEqual(copy)
      }),
      { numRuns: 100 },
    )
  })

  it('bounds what a candidate says', () => {
    fc.assert(
      fc.property(text, (content) => {
        for (const candidate of extractMessage({ index: 0, message: { role: 'user', content } })) {
          if (candidate.kind !== 'assert') continue
          expect(candidate.choice.entities.length).toBeLessThanOrEqual(12)
          expect(candidate.choice.l0.length).toBeLessThanOrEqual(110)
          expect(candidate.choice.l0).not.toMatch(/[\n\r]/)
        }
      }),
      { numRuns: 100 },
    )
  })

  it.each([
    ['', 'and ', 'e'],
    ['\n', 'and  ', 'e'],
    ['ok\t', 'well\t ', 'E'],
    ['', 'ok, ', ''],
    ['put the ', 'all the ', ''],
    ['I\t', 'HAVE TO\t ', 'Y'],
    ['NOT WANT US', ' WANT YOU', 'N'],
    ['I ', 'TO BE ', 'N'],
    ['у\tto\t', 'a\t', ''],
    ['ok\t', 'his ', ''],
    ['A-00', '0', '0$0'],
    ['o ', 'as our нашs ', ''],
    ["i'd", ' simply', 's'],
    ['nenne\tmy ', 'package ', ''],
    ['.', 't,no u-', ''],
  ])('that repeats a word does not hold up its reader: %j, many times %j, %j', (lead, word, end) => {
    for (const times of [30, 100, 10_000]) {
      const message: Message = { role: 'user', content: lead + word.repeat(times) + end }
      const read = () => extractMessage({ index: 0, message })
      // Ends a synchronous call, where a limit of the test runner cannot.
      expect(() => runInNewContext('read()', { read }, { timeout: 60_000 })).not.toThrow()
    }
  })

  it('of a wrong type is nothing', () => {
    const wrong = [
      null,
      undefined,
      7,
      {},
      [],
      { role: 'user' },
      { role: 'user', content: null },
      { role: 'user', content: [null, 3, { type: 'text' }] },
      { role: 'tool', content: 4, tool_call_id: null },
      { role: 'assistant', tool_calls: [null, {}, { id: 1, function: null }] },
      { role: 'martian', content: 'use Postgres as the database' },
    ] as unknown as Message[]
    for (const message of wrong) expect(extractMessage({ index: 0, message })).toEqual([])
  })
})

describe('a very long text', () => {
  it('is read at both ends only, whatever it consists of', () => {
    const begin = 'Use Postgres for the database.\n'
    const end = '\nUse Redis for caching.'
    for (const filler of [
      'a ',
      'use ',
      '<x>',
      '"',
      '`',
      ', ',
      'use Postgres ',
      '(',
      '- - ',
      'a.',
      '数',
      'is ',
      '1. ',
      'from Redis to ',
      ': ',
      'never ',
      '\n',
      'hi\n',
      'x:\n\n',
      'a:b',
    ]) {
      const content = begin + filler.repeat(1_000_000 / filler.length) + end
      const slots = extractMessage({ index: 0, message: { role: 'user', content } }).map((candidate) =>
        candidate.kind === 'assert' ? candidate.choice.slot : candidate.kind,
      )
      expect([filler, slots.length <= 32]).toEqual([filler, true])
    }
    const prose =
      begin +
      'We looked at the numbers again and they are what we expected them to be.\n'.repeat(20_000) +
      end
    expect(extractMessage({ index: 0, message: { role: 'user', content: prose } }).map(kindAndSlot)).toEqual([
      'datastore',
      'cache',
    ])
    expect(messageText({ role: 'user', content: prose }).length).toBeGreaterThan(1_000_000)
  })
})

const kindAndSlot = (candidate: Candidate): string =>
  candidate.kind === 'assert' ? candidate.choice.slot : candidate.kind
