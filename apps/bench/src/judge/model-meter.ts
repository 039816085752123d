import { setTimeout } from 'node:timers/promises'
import { abortable, ModelError, type ModelErrorKind, type Usage } from '@palimpsest/core'
import { type CacheProfile, knownProfile, priceBill } from '@palimpsest/prompt-caching'
import type { Counts } from '../report/format.ts'

/** Failures that may pass. The others say something about the request, and would come again. */
const PASSING: ReadonlySet<ModelErrorKind> = new Set(['quota', 'overloaded', 'network', 'timeout', 'empty'])

/** Milliseconds before each further try, unless the provider asks for more: limits for a minute have passed by the end. */
const WAITS = [2_000, 10_000, 30_000, 60_000, 60_000, 60_000] as const
/** Milliseconds that are waited at most, whatever the provider asks for. */
const LONGEST_WAIT = 120_000

/** Waits; rejects with the signal's reason when it is aborted. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>

export const realSleep: Sleep = async (milliseconds, signal) => {
  // The timer rejects with an error of its own, and only when it is aborted.
  await setTimeout(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted())
}

export interface MeterInput {
  /** The model's name, as its port gives it. */
  readonly model: string
  readonly signal: AbortSignal
  readonly sleep: Sleep
}

/** What one model was asked for. Tokens are those that the provider reported; it reports none of tries that failed. */
export interface ModelSpend {
  readonly model: string
  /** Requests, tries that failed among them. */
  readonly calls: number
  /** Tries that failed, by kind. */
  readonly failures: Counts
  /** Answered requests of which the provider reported no usage: in none of the figures below. */
  readonly unreported: number
  readonly promptTokens: number
  /** Part of `promptTokens`. */
  readonly cacheReadTokens: number
  readonly completionTokens: number
  /** US dollars; null when no price is known for the model. */
  readonly usd: number | null
  /** The day of the prices, as YYYY-MM-DD; null when there are none. */
  readonly pricesOf: string | null
}

/** Sends requests to one model and counts what they cost. */
export interface ModelMeter {
  /** Tries again what may pass. Rejects with the last `ModelError`, and with the signal's reason when aborted. */
  send<Answer extends { readonly usage?: Usage }>(request: () => Promise<Answer>): Promise<Answer>
  /** So far. */
  readonly spend: ModelSpend
}

export function createModelMeter({ model, signal, sleep }: MeterInput): ModelMeter {
  const prices = knownProfile(model)
  const failures: Record<string, number> = {}
  const total = { calls: 0, unreported: 0, promptTokens: 0, cacheReadTokens: 0, completionTokens: 0, usd: 0 }

  const add = (usage: Usage | undefined): void => {
    if (usage === undefined) {
      total.unreported++
      return
    }
    total.promptTokens += usage.promptTokens
    total.cacheReadTokens += usage.cacheReadTokens ?? 0
    total.completionTokens += usage.completionTokens
    if (prices !== undefined) total.usd += priceUsage(usage, prices)
  }

  return {
    async send(request) {
      for (let tries = 0; ; tries++) {
        signal.throwIfAborted()
        total.calls++
        try {
          const answer = await abortable(request(), signal)
          add(answer.usage)
          return answer
        } catch (error) {
          signal.throwIfAborted()
          const failure = toModelError(error)
          failures[failure.kind] = (failures[failure.kind] ?? 0) + 1
          const wait = WAITS[tries]
          if (wait === undefined || !PASSING.has(failure.kind)) throw failure
          await sleep(Math.min(LONGEST_WAIT, Math.max(wait, failure.retryAfterMs ?? 0)), signal)
        }
      }
    },
    get spend() {
      const { usd, ...counts } = total
      return {
        model,
        ...counts,
        failures: { ...failures },
        usd: prices === undefined ? null : usd,
        pricesOf: prices?.asOf ?? null,
      }
    },
  }
}

/** Ports reject with nothing else; a port that does is broken, which is no reason to lose the other answers. */
function toModelError(error: unknown): ModelError {
  if (ModelError.isInstance(error)) return error
  return new ModelError('unknown', error instanceof Error ? error.message : String(error), { cause: error })
}

/** What a request cost, in US dollars. The lifetime of what it wrote to a cache is the short one unless it is reported. */
function priceUsage(usage: Usage, prices: CacheProfile): number {
  const { promptTokens, completionTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
  const write1h = Math.min(cacheWriteTokens, usage.cacheWrite1hTokens ?? 0)
  const { usd } = priceBill(
    {
      read: cacheReadTokens,
      write5m: cacheWriteTokens - write1h,
      write1h,
      uncached: Math.max(0, promptTokens - cacheReadTokens - cacheWriteTokens),
    },
    prices,
  )
  return usd + (completionTokens * prices.output) / 1_000_000
}

export interface CallFailure {
  readonly of: 'answerer' | 'judge'
  readonly kind: ModelErrorKind | 'unreadable'
  readonly message: string
}

type Settled<Value> =
  | { readonly value: Value; readonly failure: null }
  | { readonly value: null; readonly failure: CallFailure }

/**
 * What came of a request, when the run can go on without it. Rejects when aborted, and when every other request would fail
 * too: a key that is refused, a limit that outlasts all waiting.
 */
export async function settleCall<Value>(
  of: CallFailure['of'],
  request: Promise<Value>,
): Promise<Settled<Value>> {
  try {
    return { value: await request, failure: null }
  } catch (error) {
    if (!ModelError.isInstance(error) || error.kind === 'auth' || error.kind === 'quota') throw error
    return { value: null, failure: { of, kind: error.kind, message: error.message } }
  }
}

/** The judge gave nothing that could be read, twice. */
export const UNREADABLE: CallFailure = {
  of: 'judge',
  kind: 'unreadable',
  message: 'the judge gave nothing that could be read',
}
