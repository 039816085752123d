import compressor from '@palimpsest/compressor'
import {
  abortable,
  type CompactionTiming,
  type CompletionModel,
  createContextSession,
  type EngineDefinition,
  type TokenCounter,
} from '@palimpsest/core'
import lcm from '@palimpsest/lcm'
import { uncalibrated } from '../arms/arm.ts'
import { usageOf } from '../arms/engines.ts'
import { requestsOf } from '../arms/play-arm.ts'
import type { ReadSessions, RecordedSession } from '../commands/options.ts'
import type { Progress } from '../progress.ts'
import { createSummaryWriter } from '../workload/summary-writer.ts'
import { requestTimes } from './request-times.ts'

/** Assumed of the model that writes summaries: seconds until its first token, and tokens per second. */
export const WRITER_SPEED = { first: 5, tokens: 60 }
const WINDOWS = [64_000, 128_000, 200_000]
const ENGINES: readonly EngineDefinition[] = [compressor, lcm]
const TIMINGS: readonly CompactionTiming[] = ['threshold', 'idle']

export interface WaitRow {
  readonly engine: string
  readonly window: number
  readonly compactAt: CompactionTiming
  readonly compactions: number
  readonly waitedFor: number
  readonly waited: number
  readonly longest: number
}

interface WaitsInput extends ReadSessions {
  readonly tokens: TokenCounter
  readonly progress: Progress
  readonly engines?: readonly EngineDefinition[]
  readonly windows?: readonly number[]
}

/** Measures how long requests of recorded sessions wait for compactions, by the recorded times between requests. */
export async function runWaits({
  sessions,
  progress,
  tokens,
  engines = ENGINES,
  windows = WINDOWS,
}: WaitsInput): Promise<WaitRow[]> {
  const rows: WaitRow[] = []
  for (const engine of engines)
    for (const window of windows)
      for (const compactAt of TIMINGS) {
        progress(`${engine.name} in ${window} tokens, ${compactAt}`)
        const waits: number[] = []
        let compactions = 0
        for (const session of sessions) {
          const played = await play({ engine, window, compactAt, session, tokens: uncalibrated(tokens) })
          waits.push(...played.waits)
          compactions += played.compactions
        }
        const waited = waits.reduce((sum, wait) => sum + wait, 0)
        const waitedFor = waits.filter((wait) => wait > 0).length
        const longest = Math.max(0, ...waits)
        rows.push({ engine: engine.name, window, compactAt, compactions, waitedFor, waited, longest })
      }
  return rows
}

interface PlayInput {
  readonly engine: EngineDefinition
  readonly window: number
  readonly compactAt: CompactionTiming
  readonly session: RecordedSession
  readonly tokens: TokenCounter
}

async function play({ engine, window, compactAt, session: recorded, tokens }: PlayInput) {
  const { messages, entries, name } = recorded
  const times = requestTimes(entries)
  const time = createTime(times.values().next().value ?? 0)
  const session = createContextSession({
    engine,
    contextLength: window,
    compactAt,
    tokens,
    clock: { now: time.now },
    sessionId: name,
    model: timed(createSummaryWriter(tokens, 1), tokens, time),
  })
  let compactions = 0
  session.subscribe((event) => {
    if (event.type === 'compaction' && event.committed && event.trigger !== 'prune') compactions++
  })
  const waits: number[] = []
  let [late, last] = [0, time.now()]
  try {
    for (const { length, answer } of requestsOf(messages)) {
      last = Math.max(last, times.get(length) ?? 0)
      await time.until(last + late)
      const before = time.now()
      const prompt = (await time.endOf(session.prepare(messages.slice(0, length)))).tokens
      const wait = time.now() - before
      late += wait
      waits.push(wait / 1000)
      await time.endOf(
        session.observe({ message: answer, usage: usageOf(prompt, tokens.countMessage(answer)) }),
      )
    }
  } finally {
    await time.endOf(session.end())
  }
  return { waits, compactions }
}

function timed(model: CompletionModel, tokens: TokenCounter, time: Time): CompletionModel {
  return {
    name: model.name,
    async complete(request) {
      const answer = await model.complete(request)
      const seconds = WRITER_SPEED.first + tokens.countText(answer.text) / WRITER_SPEED.tokens
      await abortable(time.pass(seconds), request.signal)
      return answer
    },
  }
}

/** Turns of the event loop in which work that waits for no model has ended, or has asked one. */
const SETTLED = 100

type Time = ReturnType<typeof createTime>

function createTime(start: number) {
  let now = start
  const sleepers: { readonly at: number; wake(): void }[] = []
  const settle = async (isOver = () => false) => {
    for (let turn = 0; turn < SETTLED && !isOver(); turn++) await new Promise((next) => setImmediate(next))
  }
  const wakeNext = (end: number): boolean => {
    const next = sleepers.toSorted((a, b) => a.at - b.at)[0]
    if (next === undefined || next.at > end) return false
    sleepers.splice(sleepers.indexOf(next), 1)
    now = Math.max(now, next.at)
    next.wake()
    return true
  }
  return {
    now: () => now,
    pass: (seconds: number) => new Promise<void>((wake) => sleepers.push({ at: now + seconds * 1000, wake })),
    /** Everything that ends by then, in its order. */
    async until(end: number): Promise<void> {
      do await settle()
      while (wakeNext(end))
      now = Math.max(now, end)
    },
    /** Waits as long as this takes. */
    async endOf<T>(work: Promise<T>): Promise<T> {
      let isOver = false
      const end = () => {
        isOver = true
      }
      work.then(end, end)
      for (;;) {
        await settle(() => isOver)
        if (isOver) return work
        wakeNext(Number.POSITIVE_INFINITY)
      }
    },
  }
}
