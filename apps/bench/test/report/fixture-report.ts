import type { Estimate } from '../../src/bootstrap.ts'
import type { BillRow } from '../../src/cost/bill-report.ts'
import type { ArmSummary } from '../../src/dialogues/arm-summary.ts'
import type { AfterCompactionRow, RecallRow } from '../../src/recall/recall-report.ts'
import type { ArmFacts, BenchReport } from '../../src/report/bench-report.ts'
import type { RatioRow } from '../../src/speed/speed-report.ts'

export const BUDGETS = [8_000, 16_000] as const

/** Named so that a page which forgets to escape runs a script. */
export const EVIL = '<script>alert(1)</script>'

export const ARMS: readonly ArmFacts[] = [
  { name: 'empty', kind: 'bound', description: 'next to nothing' },
  { name: 'full', kind: 'bound', description: 'everything' },
  { name: 'truncate', kind: 'bound', description: 'the end' },
  { name: 'lcm', kind: 'engine', description: 'the lossless one' },
  { name: 'decisions | lcm', kind: 'engine', description: 'two *engines*' },
  { name: 'Cutter', kind: 'peer', description: EVIL },
]

/** What the fixture's arms hold, cost and so on; a test replaces what it is about. */
const HELD: Readonly<Record<string, number>> = {
  empty: 0,
  full: 1,
  truncate: 0.1,
  lcm: 0.6,
  'decisions | lcm': 0.7,
  Cutter: 0.2,
}

export const estimate = (mean: number, n: number): Estimate => ({
  mean,
  low: mean * 0.9,
  high: mean * 1.05,
  n,
})

const share = (mean: number, n: number) => ({
  mean: estimate(mean, n),
  normalized: estimate(mean, n),
  gain: estimate(mean - 0.1, n),
})

const each = <Row>(rowOf: (arm: ArmFacts, budget: number, held: number) => Row): Row[] =>
  BUDGETS.flatMap((budget) => ARMS.map((arm) => rowOf(arm, budget, HELD[arm.name] ?? 0)))

export const recallRows: readonly RecallRow[] = each(({ name: arm, kind }, budget, held) => ({
  arm,
  kind,
  budget,
  assistant: share(held, 211),
  user: share(held, 31),
  reached: { at1: estimate(held, 242), at3: estimate(held, 242), tokensPerProbe: null },
  reachedByContext: { at1: estimate(held / 2, 242), at3: estimate(held, 242) },
  position: [0.5, 0, 0, 0, 0, 0, 0, 0, 0.25, 0.25],
  tokens: budget * 0.8,
  toolTokens: 0,
  tokensPerFact: held === 0 ? null : 1_000 / held,
  overBudget: { count: 1, n: 77 },
  compactions: 3,
  warnings: { thrashing: 2 },
  byKind: { path: { found: 3, n: 9 } },
}))

export const compactionRows: readonly AfterCompactionRow[] = each(({ name: arm, kind }, budget, held) => ({
  arm,
  kind,
  budget,
  compactions: 4,
  tokens: budget / 2,
  projection: estimate(held, 409),
  tail: estimate(0.25, 409),
  tailTokens: budget / 2 - 300,
  ratio: held / 0.25,
}))

export const dialogueRows: readonly ArmSummary[] = each(({ name: arm, kind }, budget, held) => {
  const one = estimate(held, 53)
  return {
    arm,
    kind,
    budget,
    itemRecall: one,
    recallByKind: {
      setting: one,
      technology: one,
      'special case': one,
      rule: one,
      parameter: one,
      place: one,
    },
    gain: one,
    normalized: one,
    earlyRecall: one,
    topicRecall: one,
    staleExposure: estimate(0.3, 19),
    misled: estimate(0.1, 19),
    updateAccuracy: estimate(held, 19),
    contradictions: {
      flagged: one,
      flaggedWithTools: one,
      by: { user: one, assistant: one },
      falselyFlagged: null,
    },
    trail: { f1: one, recall: one, precision: one },
    abstention: { inPrompt: one, withTools: one, by: { absent: one, foreign: one } },
    needles: { recall: one, by: { user: one, tool: one }, reached: {}, reachedAt3: {} },
    reached: kind === 'engine' ? { lcm_grep: estimate(0.99, 53) } : {},
    reachedAt3: {},
    searchTokens: {},
    tokens: estimate(budget, 53),
    toolTokens: estimate(0, 53),
    tokensPerFact: 2_000,
    position: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    stability: one,
    overBudget: { count: 0, n: 88 },
    compactions: 2,
    warnings: {},
  }
})

export const billRows: readonly BillRow[] = each(({ name: arm, kind }, budget, held) => ({
  arm,
  kind,
  budget,
  requests: 189,
  compactions: 3,
  promptTokens: budget,
  sticky: 1 + held,
  systemAnd3: 2 + held,
  uncached: 9 + held,
  readShare: 0.5 + held / 3,
  summaries: 0.5,
  total: 1.5 + held,
  policyRatio: 1 + held,
  isBest: kind === 'peer',
  overBudget: { count: 0, n: 189 },
}))

const ratio = (row: Partial<RatioRow>): RatioRow => ({
  group: 'compressor',
  operation: 'compress, lean, offline',
  messages: 1_000,
  unit: 'ms',
  measured: 4,
  floor: 2,
  against: 'JSON.stringify of the messages',
  ratio: 2,
  n: 30,
  ...row,
})

export const fixtureReport: BenchReport = {
  command: 'pnpm bench --data sessions',
  machine: { cpu: 'Abacus', cores: 2, memory: 8e9, platform: 'linux x64' },
  date: '2026-01-01',
  versions: { node: '24.0.0', echarts: '6.1.0' },
  arms: ARMS,
  seeds: { dialogues: 8, conversations: 1 },
  times: {},
  recall: {
    budgets: BUDGETS,
    sessions: [
      {
        name: EVIL,
        messages: 649,
        tokens: 200_119,
        identifiers: 586,
        far: BUDGETS.map((budget) => ({ budget, assistant: 211, user: 31 })),
      },
    ],
    skipped: [{ file: 'notes.txt', reason: 'it is none' }],
    rows: recallRows,
    afterCompaction: compactionRows,
    native: [
      {
        session: 'one',
        message: 400,
        tokens: 3_700,
        n: 67,
        shares: [{ arm: 'native', tokens: 3_700, share: 0.188, tail: 0.094 }],
      },
    ],
  },
  dialogues: {
    node: 'v24.0.0',
    turns: 50,
    dialogues: [
      {
        seed: 1,
        messages: 400,
        tokens: 90_000,
        topics: 2,
        items: 12,
        corrected: 4,
        contested: 2,
        probes: 9,
        needles: 16,
        files: 30,
        changedFiles: 11,
      },
    ],
    rows: dialogueRows,
    missed: [],
  },
  bills: { model: 'claude-sonnet-5-5', pricesOf: '2026-10-16', rows: billRows, skipped: [] },
  speed: {
    sqlite: '3.53.4',
    seed: 1,
    ripgrep: '/opt/secret/rg, ripgrep 14.1.1',
    notMeasured: ['peers above 1,000 messages: it takes too long'],
    rows: [
      ratio({ target: 2 }),
      ratio({ operation: 'compress, classic, offline', ratio: 3, target: 2 }),
      ratio({ group: 'peers', operation: 'Cutter cuts', ratio: 0.125 }),
    ],
    growth: [
      {
        operation: 'a turn',
        points: [
          { messages: 1_000, value: 2, unit: 'ms' },
          { messages: 100_000, value: 3, unit: 'ms' },
        ],
      },
    ],
    memory: [{ what: 'lcm', messages: 1_000, heap: 3e6, floor: 1.5e6 }],
  },
}
