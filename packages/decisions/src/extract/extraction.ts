import {
  abortable,
  type Clock,
  type CompletionCall,
  type CompletionModel,
  type ConversationLog,
  errorText,
  ModelError,
  type Warning,
} from '@palimpsest/core'
import { createModelCooldown, judgeFailure } from '@palimpsest/summaries'
import type { Conversation } from '../engine/conversation.ts'
import type { Recorder } from '../engine/recorder.ts'
import { REFUSALS, type Refusal } from './candidate.ts'
import { type ReadingJob, readJob } from './jobs.ts'
import { prove } from './prove.ts'
import { readAnswer } from './read-answer.ts'
import { extractionRequest } from './request.ts'

/** Maximum wait of a compaction for reading messages that leave the window, in milliseconds. */
const FLUSH_LIMIT_MS = 30_000
const NO_ANSWER = `no answer within ${FLUSH_LIMIT_MS / 1_000} seconds`
/** Lease of a job, in milliseconds. Two workers on one session are rare, and reading twice does no harm. */
const LEASE_MS = 150_000
/** A job is abandoned after this many failures; its messages stay in the store. */
const MAX_ATTEMPTS = 5
/** Number of messages before a batch that are searched for the question that its first message answers. */
const LOOK_BACK = 8

export interface ExtractionInput {
  readonly recorder: Recorder
  readonly log: ConversationLog
  readonly conversation: Conversation
  readonly clock: Clock
  readonly model: CompletionModel
  readonly holder: string
}

export class Extraction {
  readonly #input: ExtractionInput
  readonly #cooldown = createModelCooldown()
  readonly #totals = { jobs: 0, found: 0, givenUp: 0 }
  #lastFailure: string | undefined
  readonly #warned = { refused: false, failure: '' }
  #controller: AbortController | undefined
  #running: Promise<void> | undefined
  #isAsked = false

  constructor(input: ExtractionInput) {
    this.#input = input
  }

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

  async flush(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    const limit = AbortSignal.timeout(FLUSH_LIMIT_MS)
    const either = signal === undefined ? limit : AbortSignal.any([signal, limit])
    try {
      await abortable(this.#running ?? Promise.resolve(), either)
      await abortable(
        this.#input.recorder.queueRest().then(() => this.#work(either)),
        either,
      )
    } catch (error) {
      signal?.throwIfAborted()
      this.#lastFailure = errorText(error)
      if (!limit.aborted) return
      // A model that hangs does not delay the next compactions too.
      const { message, cooldownMs } = judgeFailure(new ModelError('timeout', NO_ANSWER), 1)
      this.#lastFailure = message
      this.#cooldown.failed(this.#input.clock.now(), cooldownMs)
      await this.stop()
    }
  }

  async stop(): Promise<void> {
    this.#controller?.abort(new Error('the extraction was stopped'))
    await this.#running
  }

  takeWarnings(): readonly Warning[] {
    const { model, recorder } = this.#input
    const warnings: Warning[] = []
    const reasons = Object.entries(recorder.refused) as [Refusal, number][]
    if (reasons.length > 0 && !this.#warned.refused) {
      this.#warned.refused = true
      const list = reasons.map(([reason, count]) => `${REFUSALS[reason]} (${count})`).join(', ')
      warnings.push({
        code: 'candidates-refused',
        message: `the engine refused answers of ${model.name}: ${list}. Further ones are counted without a warning`,
      })
    }
    if (this.#lastFailure !== undefined && this.#lastFailure !== this.#warned.failure) {
      this.#warned.failure = this.#lastFailure
      warnings.push({
        code: 'extraction-failed',
        message: `${model.name} could not read the conversation for decisions (${this.#lastFailure}); what waits is read later`,
      })
    }
    return warnings
  }

  status(): Readonly<Record<string, unknown>> {
    const lastFailure = this.#lastFailure
    return { ...this.#totals, isBusy: this.#running !== undefined, ...(lastFailure && { lastFailure }) }
  }

  async #workOff(signal: AbortSignal): Promise<void> {
    while (this.#isAsked && !signal.aborted) {
      this.#isAsked = false
      await this.#work(signal)
    }
  }

  async #work(signal: AbortSignal): Promise<void> {
    const { log, conversation, clock, holder } = this.#input
    if (log.isDetached) return
    const session = await log.open()
    for (const job of (await session.jobs()).flatMap((each) => readJob(each) ?? [])) {
      if (this.#cooldown.isCooling(clock.now())) return
      signal.throwIfAborted()
      if (job.last > conversation.last) continue
      if (!(await session.takeJob(job.id, { holder, now: clock.now(), ttl: LEASE_MS }))) continue
      try {
        await this.#read(job, signal)
        this.#cooldown.succeeded()
        this.#totals.jobs++
      } catch (error) {
        if (signal.aborted) await session.releaseJob(job.id, holder)
        signal.throwIfAborted()
        // If the store fails, the job stays and is retried with the next turn.
        if (!ModelError.isInstance(error)) throw error
        await this.#failed(job, error)
      }
    }
  }

  async #failed(job: ReadingJob, error: ModelError): Promise<void> {
    const failure = judgeFailure(error, this.#cooldown.failures() + 1)
    this.#lastFailure = failure.message
    this.#cooldown.failed(this.#input.clock.now(), failure.cooldownMs)
    if (failure.keep || job.attempts + 1 < MAX_ATTEMPTS) return
    await this.#input.recorder.finish([job.id])
    this.#totals.givenUp++
  }

  async #read(job: ReadingJob, signal: AbortSignal): Promise<void> {
    const { recorder, conversation, model } = this.#input
    const finished = [job.id]
    const messages = conversation.said(job)
    const [first] = messages
    if (first === undefined) {
      await recorder.finish(finished)
      return
    }
    const last = conversation.before(first.seq, LOOK_BACK).at(-1)
    const before = last?.role === 'assistant' && first.role === 'user' ? last : undefined
    const { ledger } = await recorder.load()
    const { known, ...request } = extractionRequest(messages, before, ledger.all)
    const text = await ask(model, { ...request, signal })
    const { candidates, refused } = readAnswer(text, known)
    const proved = candidates.map((candidate) =>
      prove(candidate, before === undefined ? messages : [before, ...messages]),
    )
    const sound = proved.filter((each) => typeof each !== 'string')
    await recorder.resolve(sound, { by: 'model', finished })
    recorder.refuse([...refused, ...proved.filter((each) => typeof each === 'string')])
    this.#totals.found += sound.length
  }
}

async function ask(
  model: CompletionModel,
  call: CompletionCall & { readonly signal: AbortSignal },
): Promise<string> {
  try {
    return (await abortable(Promise.resolve(model.complete(call)), call.signal)).text
  } catch (cause) {
    if (call.signal.aborted || ModelError.isInstance(cause)) throw cause
    throw new ModelError('unknown', errorText(cause), { cause })
  }
}
