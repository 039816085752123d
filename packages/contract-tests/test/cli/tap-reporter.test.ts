import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTapReporter } from '../../src/cli/reporter.ts'
import { parseTap } from './parse-tap.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    'a # SKIP b',
    '\\# TODO',
    '\n...\n---\n',
    'x\n\nnot ok 1 - y',
    '\\',
    '#',
    '\ud800',
    '\u2028# SKIP',
  ),
)
const result = fc.record({
  id: fc.constantFrom('C01', 'P02'),
  title: text,
  status: fc.constantFrom('passed' as const, 'failed' as const, 'skipped' as const),
  reason: text,
  notes: fc.array(text, { maxLength: 2 }),
  durationMs: fc.nat(),
})

describe('the TAP report', () => {
  it('is valid whatever stands in titles, reasons and notes, and says what happened', () => {
    fc.assert(
      fc.property(fc.array(result, { maxLength: 5 }), (results) => {
        let output = ''
        const reporter = createTapReporter((piece) => {
          output += piece
        })
        reporter.planned?.({
          engine: 'mine',
          capabilities: [],
          expected: [],
          seed: 1,
          propertyRuns: 1,
          caseTimeoutMs: 120_000,
          cases: results,
        })
        for (const one of results) reporter.finished?.(one)
        const points = parseTap(output)
        expect(points.map(({ ok }) => ok)).toEqual(results.map(({ status }) => status !== 'failed'))
        for (const [index, { title, status, reason }] of results.entries()) {
          const words = title.split(/\s+/).filter((word) => word !== '')
          expect(points[index]?.description).toContain(words.join(' '))
          expect(points[index]?.skip !== undefined).toBe(status === 'skipped')
          expect(points[index]?.diagnostics?.message).toBe(status === 'failed' ? reason : undefined)
        }
      }),
    )
  })
})
