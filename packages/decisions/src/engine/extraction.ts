import {
  abortable,
  type Clock,
  type CompletionModel,
  createPause,
  errorText,
  ModelError,
  type Warning,
} from '@palimpsest/core'
import { createModelCooldown, judgeFailure } from '@palimpsest/summaries'
import type { SourceMessage } from '../candidates/source-message.ts'
import { judgeResidue, settleRulings } from '../refine/judge-residue.ts'
import { refineTurns } from '../refine/refine-turns.ts'
import { textsToCompare } from '../resolve/find-neighbours.ts'
import type { ExtractionJob } from '../store/decision-store.ts'
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
export class Extraction {
  readonly #input: ExtractionInput
  readonly #cooldown = createModelCooldown()
  readonly #totals = { jobs: 0, found: 0, rejected: 0, givenUp: 0 }
  readonly #told = { rejected: 0, failure: '' }
  #lastFailure: string | undefined
  /** Of what is under way: the stack of a reason would keep alive what its callers know. */
  #controller: AbortController | undefined
  #running: Promise<void> | undefined
  #isAsked = false

  constructor(input: ExtractionInput) {
    this.#input = input
  }

  /** Begins with the jobs that wait, unless it is at work. Never throws; what fails stays in the store and waits. */
  start(): void {
    this.#isAsked = true
    if (this.#running !== undefined) return
    this.#controller = new AbortController()
    const { signal } = this.#controller
    this.#running = this.#workOff(signal)
      .catch((error: unknown) => {
        if (!signal.aborted) this.#lastFailure = errorText(error)
      })
      .finally(() => {
        this.#running = undefined
        this.#controller = undefined
      })
  }

  /** Reads everything that was said so far, for 30 seconds at most. What fails is left to later. Rejects only with the signal's reason. */
  async flush(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    // A call that was begun in the background may hang: it is made again.
    await this.stop()
    const limit = AbortSignal.timeout(FLUSH_LIMIT_MS)
    const either = signal === undefined ? limit : AbortSignal.any([signal, limit])
    try {
      await abortable(
        this.#work(either).then(() => this.#readRest(either)),
        either,
      )
    } catch (error) {
      signal?.throwIfAborted()
      this.#lastFailure = errorText(error)
      // A model that hangs is not waited for again at each compaction.
      if (limit.aborted) this.#cooldown.failed(this.#input.clock.now(), judgeFailure(timeout(), 1).cooldownMs)
    }
  }

  /** Ends what is under way. */
  async stop(): Promise<void> {
    this.#controller?.abort(new Error('the extraction was stopped'))
    await this.#running
  }

  /** Faults since the last call: what the model said without a source, and why it could not be asked. */
  takeWarnings(): readonly Warning[] {
    const { name } = this.#input.model
    const rejected = this.#totals.rejected - this.#told.rejected
    const failure = this.#lastFailure === this.#told.failure ? undefined : this.#lastFailure
    this.#told.rejected = this.#totals.rejected
    this.#told.failure = this.#lastFailure ?? ''
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
  }

  status(): Readonly<Record<string, unknown>> {
    const lastFailure = this.#lastFailure
    return { ...this.#totals, isBusy: this.#running !== undefined, ...(lastFailure && { lastFailure }) }
  }

  /** Jobs that were asked for while another was being done are done too. */
  async #workOff(signal: AbortSignal): Promise<void> {
    while (this.#isAsked && !signal.aborted) {
      this.#isAsked = false
      await this.#work(signal)
    }
  }

  async #work(signal: AbortSignal): Promise<void> {
    const { opened, clock, holder } = this.#input
    const session = await opened.open()
    const pause = createPause()
    for (const job of await session.pendingJobs()) {
      await pause()
      if (this.#cooldown.isCooling(clock.now())) return
      const at = clock.now()
      if (!(await session.takeJob(job.id, { holder, at, until: at + LEASE_MS }))) continue
      try {
        signal.throwIfAborted()
        const messages = await session.sources({ from: job.from, to: job.to })
        await this.#read(messages, [job.id], signal)
        this.#cooldown.succeeded()
        this.#totals.jobs++
      } catch (error) {
        if (signal.aborted) await session.releaseJob(job.id, holder)
        signal.throwIfAborted()
        // A store that fails is not the model's fault: the job stays, and is begun again with the next turn.
        if (!ModelError.isInstance(error)) throw error
        await this.#failed(job, error)
      }
    }
  }

  async #failed(job: ExtractionJob, error: ModelError): Promise<void> {
    const failure = judgeFailure(error, this.#cooldown.failures() + 1)
    this.#lastFailure = failure.message
    this.#cooldown.failed(this.#input.clock.now(), failure.cooldownMs)
    if (failure.keep || job.attempts + 1 < MAX_ATTEMPTS) return
    await this.#input.recorder.commit({ finished: [job.id] })
    this.#totals.givenUp++
  }

  /** Reads the turns behind the last whole batch. */
  async #readRest(signal: AbortSignal): Promise<void> {
    const { jobs, recorder, opened, clock } = this.#input
    const rest = jobs.rest(await recorder.load())
    if (rest === undefined || this.#cooldown.isCooling(clock.now())) return
    const session = await opened.open()
    await this.#read(await session.sources(rest), [], signal)
  }

  async #read(
    messages: readonly SourceMessage[],
    finished: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const { found, rejected } = await readTurns(this.#input, messages, finished, signal)
    this.#totals.found += found
    this.#totals.rejected += rejected
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
  return new ModelError('timeout', `no answer within ${MODEL_TIMEOUT_MS / 1000} seconds`, { cause })
}
