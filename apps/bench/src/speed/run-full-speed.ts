import { countMessages } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { findRipgrep } from '../lcm/ripgrep.ts'
import { runLcm } from '../lcm/run-lcm.ts'
import type { Progress } from '../progress.ts'
import type { RecordedSession } from '../sessions/recorded-session.ts'
import { generateConversation } from '../workload/conversation.ts'
import { growthLines } from './growth-lines.ts'
import { measureCompress } from './measure-compress.ts'
import { measureEstimate } from './measure-estimate.ts'
import { measureMemory } from './measure-memory.ts'
import { measurePeers } from './measure-peers.ts'
import { measureReading } from './measure-reading.ts'
import { measureRequests } from './measure-requests.ts'
import { measureTranscripts } from './measure-transcripts.ts'
import { notMeasured } from './not-measured.ts'
import { fromLcmRow, fromSpeedRow } from './ratio-row.ts'
import { isTrial, repetitionsFor } from './repetitions.ts'
import { PROFILES } from './run-speed.ts'
import { sizesIn } from './size-limits.ts'
import type { FullSpeedReport, GrowthLine, MemoryRow, RatioRow } from './speed-report.ts'
import { SUBJECTS } from './subjects.ts'

/** Sizes that a run without further wishes has, in messages. A million take 18 GB of disk and half an hour: see `findShortage`. */
export const SPEED_SIZES: readonly number[] = [1_000, 10_000, 100_000]

/** Looking at everything for the first time takes long; the code is warm with the first message. */
const READING_RUNS = 5
const GENERATED = 'generated'

export interface FullSpeedInput {
  readonly seed: number
  /** Lengths of the generated conversations, in messages; at least 200 each. */
  readonly sizes: readonly number[]
  /** Recorded sessions to be read and analysed beside the generated ones. */
  readonly data?: readonly RecordedSession[]
  /** Share of the usual repetitions. Default 1; below 0.1 it is a trial, which shows only that everything works. */
  readonly effort?: number
  readonly progress: Progress
}

/** Everything that takes time or memory, each beside a floor that was measured in turn with it. */
export async function runFullSpeed(input: FullSpeedInput): Promise<FullSpeedReport> {
  const { seed, effort = 1, progress } = input
  const sizes = [...new Set(input.sizes)].sort((a, b) => a - b)
  const all = { seed, sizes, data: input.data ?? [], effort, progress }
  try {
    const ripgrep = await findRipgrep()
    const rows = [...(await measureLists(all)), ...(await measureFiles(all))]
    const requests = await measureAllRequests(all)
    const memory = await measureAllMemory(all)
    const lcm = await runLcm({ seed, sizes, effort, ripgrep, progress })
    return {
      sqlite: lcm.sqlite,
      seed,
      ripgrep: ripgrep === undefined ? null : ripgrep.version,
      notMeasured: notMeasured(sizes, ripgrep),
      rows: [...rows, ...requests.rows, ...lcm.rows.map(fromLcmRow)],
      growth: [...requests.growth, ...growthLines(lcm.rows, sizes)],
      memory,
    }
  } finally {
    progress.end()
  }
}

type Input = Required<FullSpeedInput>

/** In a trial one size stands for all where none is compared with another. */
const someOf = (sizes: readonly number[], effort: number) => (isTrial(effort) ? sizes.slice(0, 1) : sizes)

/** What is done with a list of messages, without a session around it. */
async function measureLists({ seed, sizes, effort, progress }: Input): Promise<RatioRow[]> {
  const rows: RatioRow[] = []
  for (const size of someOf(sizesIn('lists', sizes), effort)) {
    const step = (text: string) => progress.step(`${size.toLocaleString('en-US')} messages: ${text}`)
    const { messages } = generateConversation({ seed, messages: size })
    const often = repetitionsFor(size, effort)
    step('count and analyse them')
    rows.push(
      ...(await measureReading({ name: GENERATED, messages, runs: Math.min(often.runs, READING_RUNS) })),
    )
    const tokens = createTokenCounter()
    countMessages(tokens, messages)
    step('estimates')
    for (const row of await measureEstimate(messages, tokens, often)) rows.push(fromSpeedRow('session', row))
    for (const profile of PROFILES) {
      step(`compactions, ${profile}`)
      for (const row of await measureCompress({ messages, tokens, profile, ...often }))
        rows.push(fromSpeedRow('compressor', row))
    }
    if (!sizesIn('peers', sizes).includes(size)) continue
    step('peers')
    rows.push(...(await measurePeers({ messages, tokens, ...often })))
  }
  return rows
}

/** Recorded sessions: their texts are others than generated ones. Without any, the file of a generated one is read. */
async function measureFiles({ seed, sizes, data, effort, progress }: Input): Promise<RatioRow[]> {
  const { runs } = repetitionsFor(0, effort)
  const rows: RatioRow[] = []
  for (const { name, messages } of data) {
    progress.step(`count and analyse ${name}`)
    rows.push(...(await measureReading({ name, messages, runs: Math.min(runs, READING_RUNS) })))
  }
  progress.step('session files')
  const [smallest = 0] = sizes
  const generated = { name: GENERATED, messages: generateConversation({ seed, messages: smallest }).messages }
  return [...rows, ...(await measureTranscripts(data.length > 0 ? data : [generated], runs))]
}

async function measureAllRequests({ seed, sizes: all, effort, progress }: Input) {
  const sizes = sizesIn('requests', all)
  const rows: RatioRow[] = []
  const growth: GrowthLine[] = []
  const { messages } = generateConversation({ seed, messages: sizes.at(-1) ?? 0 })
  for (const subject of SUBJECTS) {
    const onSize = (size: number) =>
      progress.step(`requests of ${subject.name}, ${size.toLocaleString('en-US')} messages`)
    const figures = await measureRequests({ subject, messages, sizes, effort, onSize })
    rows.push(...figures.rows)
    growth.push(...figures.growth.filter(({ points }) => points.length > 1))
  }
  return { rows, growth }
}

async function measureAllMemory({ seed, sizes, effort, progress }: Input): Promise<MemoryRow[]> {
  const rows: MemoryRow[] = []
  for (const size of someOf(sizesIn('memory', sizes), effort)) {
    progress.step(`memory, ${size.toLocaleString('en-US')} messages`)
    rows.push(...(await measureMemory(SUBJECTS, generateConversation({ seed, messages: size }).messages)))
  }
  return rows
}
