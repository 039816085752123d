import { describe, expect, it } from 'vitest'
import type { Verdict } from '../../src/judge/ask-judge.ts'
import {
  EXPECTED,
  PLANTED_KINDS,
  type PlantedKind,
  type PlantedVerdict,
  summarizeCheck,
} from '../../src/judge/check-judge.ts'

/** Ten of each kind, with the verdicts of a careful reader, except for the first so many of one kind. */
const tenEach = (kind?: PlantedKind, mistakes = 0, verdict: Verdict | null = 'holds'): PlantedVerdict[] =>
  PLANTED_KINDS.flatMap((planted) =>
    Array.from({ length: 10 }, (_, index) => ({
      planted,
      verdict: planted === kind && index < mistakes ? verdict : EXPECTED[planted],
    })),
  )

describe('summarizeCheck', () => {
  it('has no doubts about a careful reader', () => {
    const check = summarizeCheck(tenEach())
    expect(check).toMatchObject({ leniency: 0, severity: 0, n: { leniency: 20, severity: 20 }, doubts: [] })
    for (const { expected, verdicts, unjudged } of check.confusion)
      expect([verdicts[expected], unjudged]).toEqual([10, 0])
  })

  it('lets a tenth pass, and not more', () => {
    expect(summarizeCheck(tenEach('vague', 2))).toMatchObject({ leniency: 0.1, doubts: [] })
    expect(summarizeCheck(tenEach('vague', 3))).toMatchObject({
      leniency: 0.15,
      doubts: ['15 % of the vague and wrong answers were accepted (n 20)'],
    })
  })

  it.each([
    ['right', 'not-stated', /right answers were not accepted/],
    ['stale', 'holds', /corrected values were accepted/],
    ['refusal', 'holds', /missing answers were accepted/],
    ['command', 'holds', /because the answer told/],
    ['omitted', null, /of its verdicts could not be read/],
  ] as const)('doubts a judge that takes %s for %s', (kind, verdict, doubt) => {
    const check = summarizeCheck(tenEach(kind, 10, verdict))
    expect(check.doubts).toEqual([expect.stringMatching(doubt)])
  })

  it('does not take a vague answer that is called wrong for leniency', () => {
    expect(summarizeCheck(tenEach('vague', 10, 'wrong'))).toMatchObject({ leniency: 0, doubts: [] })
  })

  it('doubts a judge of which nothing is known', () => {
    expect(summarizeCheck([]).doubts).toEqual([expect.stringMatching(/not checked/)])
  })
})
