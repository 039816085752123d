import type { Arm } from '../../src/arms/arm.ts'
import type { DialogueRow } from '../../src/commands/dialogues.ts'
import type { BillRow } from '../../src/cost/run-bills.ts'
import type { KeptRow } from '../../src/kept/compare-projections.ts'
import type { ValueRow } from '../../src/kept/values/run-values.ts'
import type { AnyRun, Figures, Measured, Run } from '../../src/report/runs.ts'
import type { Estimate } from '../../src/report/section.ts'
import type { RatioRow } from '../../src/speed/time.ts'

/** Named so that a page which forgets to escape runs a script, or breaks a table. */
const EVIL = '<script>alert(1)</script> | *'

const ARMS: readonly (readonly [name: string, kind: Arm['kind'], held: number])[] = [
  ['full', 'bound', 1],
  ['lcm', 'engine', 0.6],
  ['decisions', 'engine', 0.7],
  [EVIL, 'peer', 0.8],
]

export const estimate = (mean: number, n: number): Estimate => ({
  mean,
  low: mean * 0.9,
  high: mean * 1.05,
  n,
})

const dialogueRow = (arm: string, kind: Arm['kind'], held: number): DialogueRow => {
  const one = estimate(held, 53)
  return {
    arm,
    kind,
    budget: 16_000,
    itemRecall: one,
    reached: one,
    topicRecall: one,
    functionsComplete: one,
    staleExposure: estimate(0.3, 19),
    misled: estimate(0.1, 19),
    updateAccuracy: estimate(0.5, 19),
    flaggedWithTools: one,
    requests: 88,
    trail: null,
    overBudget: { count: 0, n: 88 },
    compactions: 2,
    warnings: { thrashing: 2 },
  }
}

const billRow = (arm: string, kind: Arm['kind'], held: number): BillRow => ({
  arm,
  kind,
  budget: 16_000,
  requests: 189,
  compactions: 3,
  promptTokens: 15_000,
  sticky: 1 + held,
  systemAnd3: 2 + held,
  uncached: 9 + held,
  readShare: 0.5,
  summaries: 0.5,
  total: 1.5 + held,
  overBudget: { count: 0, n: 189 },
  warnings: {},
})

const keptRow = (arm: string, mean: number): KeptRow => ({
  engine: 'lcm',
  window: 32_000,
  arm,
  compactions: 4,
  tokens: 9_000,
  shares: { names: estimate(mean, 100), relations: estimate(mean / 2, 40), words: null },
})

const valueRow = (arm: string, mean: number): ValueRow => ({
  engine: 'lcm',
  window: 32_000,
  arm,
  compactions: 4,
  tokens: 9_000,
  shares: { current: estimate(mean, 100), oldAlone: estimate(0.1, 80), oldUnmarked: estimate(0, 80) },
})

export const ratio = (row: Partial<RatioRow>): RatioRow => ({
  operation: 'compress, lean, offline',
  messages: 1_018,
  unit: 'ms',
  measured: 4,
  floor: 2,
  against: 'JSON.stringify of the messages',
  ratio: 2,
  n: 30,
  ...row,
})

const score = { labels: 8, findings: 5, hits: 4, precision: 0.8, recall: 0.5, f1: 0.6 }

const FIGURES: Omit<Figures, 'judge' | 'scale' | 'load' | 'session' | 'hosts' | 'starts'> = {
  kept: {
    sessions: [keptRow('lcm', 0.6), keptRow('simple', 0.5), keptRow('names + scrap', 0.9)],
    values: { seeds: 8, rows: [valueRow('lcm', 0.8), valueRow('simple', 0.7)] },
  },
  recovered: [
    {
      arm: 'a summary',
      compactions: [{ tokens: 9, kept: { names: [true], relations: [false], words: [true] } }],
    },
  ],
  dialogues: {
    turns: 50,
    dialogues: [{ seed: 1, tokens: 90_000, items: 12, corrected: 4, contested: 2, probes: 9 }],
    rows: ARMS.map((arm) => dialogueRow(...arm)),
  },
  grep: [{ question: '2 to 4 words from near it', order: 'default', within: 5, found: estimate(0.9, 750) }],
  decisions: {
    parts: (['dev', 'unseen'] as const).map((part) => ({
      part,
      conversations: 1,
      messages: 9,
      userMessages: 7,
      negatives: 3,
      scores: [],
      languages: [{ language: 'de', userMessages: 7, strict: score, value: score }],
      readers: [{ reader: 'each word', score }],
    })),
  },
  cost: {
    bills: {
      model: 'claude-sonnet-5-5',
      pricesOf: '2026-10-16',
      agentTools: 12_000,
      rows: ARMS.map((arm) => billRow(...arm)),
      skipped: [{ file: 'notes.txt', reason: 'it is none' }],
    },
    seed: 1,
    placement: [],
    pauses: [],
    recorded: { rows: [], skipped: [] },
  },
  speed: {
    seed: 1,
    hostile: [{ reader: 'redaction', text: 'blanks', short: 2, long: 20 }],
    rows: [
      ratio({ target: 2 }),
      ratio({ messages: 10_002 }),
      ratio({ operation: 'lcm: prepare and observe, new messages', messages: 1_000, ratio: 1 }),
      ratio({ operation: 'lcm: prepare and observe, new messages', messages: 10_000, ratio: 1 }),
      ratio({ operation: 'compress, classic, offline', ratio: 3, target: 2 }),
    ],
  },
  growth: [100, 10_000].map((onRecord) => ({
    onRecord,
    times: {
      'a turn that decides': 5,
      'a turn that asks': 3,
      decisions_list: 1,
      decisions_explain: 1,
      'the first prepare': 20,
    },
  })),
  redaction: { words: 10_000, characters: 60_000, hits: [{ kind: 'cookie', shown: '"x=" » "y"' }] },
  lcm: { sqlite: '3.53.4', seed: 1, rows: [ratio({ operation: 'open the store', exactly: 2 })] },
}

export const runOf = <Name extends Measured>(bench: Name, figures: Figures[Name]): Run<Name> => ({
  bench,
  command: `bench ${bench} --data sessions`,
  date: '2026-01-01',
  machine: { cpu: 'Abacus', cores: 2, memory: 8e9, platform: 'linux x64' },
  versions: { node: '24.0.0', sqlite: '3.53.4', langchain: '1.0.0', ai: '7.0.0' },
  figures,
})

/** One run of every command but those that take a key or a server. */
export const fixtureRuns = (Object.keys(FIGURES) as (keyof typeof FIGURES)[]).map(
  (bench) => runOf(bench, FIGURES[bench]) as AnyRun,
)
