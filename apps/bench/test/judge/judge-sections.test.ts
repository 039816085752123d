import { describe, expect, it } from 'vitest'
import { judgeSections } from '../../src/commands/judge.ts'
import type { Variant } from '../../src/judge/answer-dialogue.ts'
import type { ModelSpend } from '../../src/judge/model-meter.ts'
import type { JudgeReport, JudgeRow } from '../../src/judge/run-judge.ts'
import { renderMarkdown } from '../../src/report/section.ts'
import { estimate } from '../report/fixture-runs.ts'

const none = { count: 0, n: 90 }

const row = (variant: Variant): JudgeRow => ({
  arm: 'lcm',
  kind: 'engine',
  budget: 8_000,
  variant,
  score: estimate(0.5, 90),
  scoreByRun: [0.4, 0.5, null],
  gain: null,
  shown: estimate(0.75, 90),
  scoreGivenShown: estimate(0.6, 68),
  scoreGivenNotShown: null,
  lostToContext: null,
  lostToAnswerer: null,
  stale: null,
  notStated: null,
  wrong: null,
  abstained: null,
  ta: estimate(0.75, 3),
  ie: estimate(0.4, 6),
  fc: null,
  acceptedWithoutValue: { count: 7, n: 90 },
  unjudged: none,
  failed: none,
  cutOff: none,
  toolCalls: variant === 'tools' ? 1.25 : 0,
  promptTokens: 7_000,
})

const spend = (model: string): ModelSpend => ({
  model,
  calls: 300,
  failures: { rateLimit: 2 },
  unreported: 0,
  promptTokens: 2_000_000,
  cacheReadTokens: 0,
  completionTokens: 9_000,
  usd: null,
  pricesOf: null,
})

const judged: JudgeReport = {
  answerer: 'small',
  judge: 'large',
  runs: 3,
  budgets: [8_000],
  dialogues: [{ seed: 1, messages: 400, probes: 9, neverStated: 2, tasks: 5 }],
  runsCode: false,
  check: {
    leniency: 0.05,
    severity: 0,
    n: { leniency: 40, severity: 20 },
    doubts: [],
    confusion: [],
  },
  rows: [row('prompt'), row('tools')],
  answers: [],
  planned: 66,
  stopped: null,
  spend: { answerer: spend('small'), judge: spend('large'), calls: 600, usd: null },
}

const text = (report: JudgeReport): string => renderMarkdown(judgeSections(report))

describe('answers of models', () => {
  it('are shown with their n, with tools and without', () => {
    for (const part of [
      'The judge passed its check.',
      'score, n 90',
      'lcm + its tools',
      '0.400, 0.500, –',
      '7 of 90',
      'rateLimit 2',
      '600 requests, at a price that is not known',
    ])
      expect(text(judged)).toContain(part)
    expect(text(judged)).not.toContain('INCOMPLETE')
  })

  it('have TA and IE as F1, and say what FC would take', () => {
    for (const part of ['TA F1, n 3', '0.750 (0.68 to 0.79)', 'IE F1, n 6', '5 lists and functions'])
      expect(text(judged)).toContain(part)
    expect(text(judged)).toContain('LoCoEval-style, not LoCoEval')
    expect(text(judged)).toContain('FC is not measured: `--run-code`')
    expect(text({ ...judged, runsCode: true })).not.toContain('--run-code')
  })

  it('are marked where the judge has a part in them and failed its check', () => {
    const doubtful = text({ ...judged, check: { ...judged.check, doubts: ['it accepted vague answers'] } })
    expect(doubtful).toContain('THE JUDGE IS NOT TO BE TRUSTED: it accepted vague answers.')
    expect(doubtful).toContain('score (?), n 90')
    expect(doubtful).toContain(' shown, n 90')
    expect(text(judged)).not.toContain('score (?)')
  })

  it('say when they are not all', () => {
    expect(text({ ...judged, stopped: 'no answer: auth' })).toMatch(
      /INCOMPLETE: 0 of 66 answers.*no answer: auth/,
    )
  })
})
