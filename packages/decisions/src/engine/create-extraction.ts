import {
  abortable,
  type Clock,
  type CompletionModel,
  errorText,
  ModelError,
  type Warning,
} from '@palimpsest/core'
import { createModelCooldown, judgeFailure } from '@palimpsest/core/summarizer'
import type { SourceMessage } from '../candidates/source-message.ts'
import { judgeResidue, settleRulings } from '../refine/judge-residue.ts'
import { refineTurns } from '../refine/refine-turns.ts'
import { textsToCompare } from '../resolve/find-neighbours.ts'
import type { ExtractionJob } from '../store/extraction-job.ts'
import type { DecisionRecorder } from './decision-recorder.ts'
import type { Embedder } from './embedder.ts'
import type { ExtractionJobs } from './extraction-jobs.ts'
import type { OpenedSession } from './open-session.ts'

/** A call of the model is given up after this long, in milliseconds. */
const MODEL_TIMEOUT_MS = 120_000
/** Longest wait for the vectors of what was read, in milliseconds. */
const EMBED_LIMIT_MS = 10_000
/** Longest wait of a compaction for the reading of what leaves the window, in milliseconds. */
const FLUSH_LIMIT_MS = 30_000
/** Time for which a job belongs to its holder, in milliseconds. Two workers on one session are rare, and reading twice does no harm. */
const LEASE_MS = 60_000
/** A job that failed so often is given up: what it would have found is in the store still, as text. */
const MAX_ATTEMPTS = 5

export interface ExtractionInput {
  readonly recorder: DecisionRecorder
  readonly opened: OpenedSession
  readonly jobs: ExtractionJobs
  readonly embedder: Embedder | undefined
  readonly clock: Clock
  /** Reads turns. */
  readonly model: CompletionModel
  /** Judges what rules cannot tell apart. */
  readonly judge: CompletionModel
  readonly seed: boolean
  /** Tells this worker from others. */
  readonly holder: string
}

/** A model's reading of the turns, beside the conversation. */
export interface Extraction {
  /** Begins with the jobs that wait, unless it is at work. Never throws; what fails stays in the store and waits. */
  start(): void
  /** Reads everything that was said so far, for 30 seconds at most. What fails is left to later. Rejects only with the signal's reason. */
  flush(signal: AbortSignal | undefined): Promise<void>
  /** Ends what is under way. */
  stop(): Promise<void>
  /** Faults since the last call: what the model said without a source, and why it could not be asked. */
  takeWarnings(): readonly Warning[]
  status(): Readonly<Record<string, unknown>>
}

export function createExtraction(input: ExtractionInput): Extraction {
  const { recorder, opened, clock, holder } = input
  const cooldown = createModelCooldown()
  const totals = { jobs: 0, found: 0, rejected: 0, givenUp: 0 }
  let lastFailure: string | undefined
  let controller = new AbortController()
  let running: Promise<void> | undefined
  let isAsked = false
  const told = { rejected: 0, failure: '' }

  const read = async (
    messages: readonly SourceMessage[],
    finished: readonly string[],
    signal: AbortSignal,
  ): Promise<void> => {
    const { found, rejected } = await readTurns(input, messages, finished, signal)
    totals.found += found
    totals.rejected += rejected
  }

  const work = async (signal: AbortSignal): Promise<void> => {
    const session = await opened.open()
    for (const job of await session.pendingJobs()) {
      if (cooldown.isCooling(clock.now())) return
      const at = clock.now()
      if (!(await session.takeJob(job.id, { holder, at, until: at + LEASE_MS }))) continue
      try {
        signal.throwIfAborted()
        const messages = await session.sources({ from: job.from, to: job.to })
        await read(messages, [job.id], signal)
        cooldown.succeeded()
        totals.jobs++
      } catch (error) {
        if (signal.aborted) await session.releaseJob(job.id, holder)
        signal.throwIfAborted()
        // A store that fails is not the model's fault: the job stays, and is begun again with the next turn.
        if (!ModelError.isInstance(error)) throw error
        await failed(job, error)
      }
    }
  }

  const failed = async (job: ExtractionJob, error: ModelError): Promise<void> => {
    const failure = judgeFailure(error, cooldown.failures() + 1)
    lastFailure = failure.message
    cooldown.failed(clock.now(), failure.cooldownMs)
    if (failure.keep || job.attempts + 1 < MAX_ATTEMPTS) return
    await recorder.commit({ finished: [job.id] })
    totals.givenUp++
  }

  const stop = async (): Promise<void> => {
    controller.abort(new Error('the extraction was stopped'))
    await running
  }

  /** Reads the turns behind the last whole batch. */
  const readRest = async (signal: AbortSignal): Promise<void> => {
    const rest = input.jobs.rest(await recorder.load())
    if (rest === undefined || cooldown.isCooling(clock.now())) return
    const session = await opened.open()
    await read(await session.sources(rest), [], signal)
  }

  return {
    start() {
      isAsked = true
      if (running !== undefined) return
      controller = new AbortController()
      const { signal } = controller
      const workOff = async (): Promise<void> => {
        // What was asked for while a job was being done is done too.
        while (isAsked && !signal.aborted) {
          isAsked = false
          await work(signal)
        }
      }
      running = workOff()
        .catch((error: unknown) => {
          if (!signal.aborted) lastFailure = errorText(error)
        })
        .finally(() => {
          running = undefined
        })
    },
    async flush(signal) {
      signal?.throwIfAborted()
      // A call that was begun in the background may hang: it is made again.
      await stop()
      const limit = AbortSignal.timeout(FLUSH_LIMIT_MS)
      const either = signal === undefined ? limit : AbortSignal.any([signal, limit])
      try {
        await abortable(
          work(either).then(() => readRest(either)),
          either,
        )
      } catch (error) {
        signal?.throwIfAborted()
        lastFailure = errorText(error)
        // A model that hangs is not waited for again at each compaction.
        if (limit.aborted) cooldown.failed(clock.now(), judgeFailure(timeout(), 1).cooldownMs)
      }
    },
    stop,
    takeWarnings() {
      const { name } = input.model
      const rejected = totals.rejected - told.rejected
      const failure = lastFailure === told.failure ? undefined : lastFailure
      told.rejected = totals.rejected
      told.failure = lastFailure ?? ''
      const warnings: Warning[] = []
      if (rejected > 0)
        warnings.push({
          code: 'candidates-rejected',
          message: `${rejected} of the decisions that ${name} named stand nowhere in the conversation and were left out`,
        })
      if (failure !== undefined)
        warnings.push({
          code: 'extraction-failed',
          message: `${name} could not read the conversation for decisions (${failure}); rules read it, and what waits is read later`,
        })
      return warnings
    },
    status: () => ({ ...totals, isBusy: running !== undefined, ...(lastFailure && { lastFailure }) }),
  }
}

/** Lets a model read turns, and another one judge what rules cannot tell apart. What is found is in the log then. */
async function readTurns(
  { recorder, embedder, model, judge, seed }: ExtractionInput,
  messages: readonly SourceMessage[],
  finished: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly found: number; readonly rejected: number }> {
  const { ledger } = await recorder.load()
  const style = seed ? 'seed' : 'default'
  const { candidates, rejected } = await inTime(signal, (limited) =>
    refineTurns({ model, messages, decisions: ledger, signal: limited, style }),
  )
  const counts = { found: candidates.length, rejected }
  const addition = {
    by: 'model' as const,
    texts: messages,
    ...(seed && { compare: 'category' as const }),
  }
  // The services are asked outside of the recorder's queue: a turn must not wait for them.
  if (embedder && candidates.length > 0) {
    const texts = textsToCompare(candidates, await recorder.context(addition))
    await embedder.prepare(texts, { limitMs: EMBED_LIMIT_MS, signal })
  }
  const { residue } = await recorder.resolve(candidates, { ...addition, finished })
  if (residue.length === 0) return counts
  const context = await recorder.context(addition)
  const rulings = await inTime(signal, (limited) =>
    judgeResidue({ model: judge, residue, context, batch: !seed, signal: limited }),
  )
  await recorder.add((live) => settleRulings(rulings, live).events, { ...addition, finished })
  return counts
}

/** Rejects with a `ModelError`, of the kind `timeout` when no answer comes in time, and with the reason of `signal`. */
async function inTime<T>(signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = AbortSignal.timeout(MODEL_TIMEOUT_MS)
  try {
    return await ask(AbortSignal.any([signal, limit]))
  } catch (cause) {
    if (signal.aborted || ModelError.isInstance(cause)) throw cause
    if (!limit.aborted) throw new ModelError('unknown', errorText(cause), { cause })
    throw timeout(cause)
  }
}

function timeout(cause?: unknown): ModelError {
  return new ModelError('timeout', 'the model did not answer in time', { cause })
}
