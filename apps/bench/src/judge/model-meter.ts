import { setTimeout } from 'node:timers/promises'
import { abortable, errorText, ModelError, type ModelErrorKind, type Usage } from '@palimpsest/core'
import { type CachePricing, knownPricing, priceBill } from '@palimpsest/prompt-caching'
import { addCounts } from '../report/section.ts'

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

export type ModelMeter = ReturnType<typeof createModelMeter>

export type ModelSpend = ModelMeter['spend']

export function createModelMeter(model: string, signal: AbortSignal, sleep: Sleep) {
  const prices = knownPricing(model)
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
    /** Tries again what may pass. Rejects with the last `ModelError`, and with the signal's reason when aborted. */
    async send<Answer extends { readonly usage?: Usage }>(request: () => Promise<Answer>): Promise<Answer> {
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
    /** So far. Tokens are those that the provider reported; it reports none of tries that failed. */
    get spend() {
      const { usd, ...counts } = total
      return {
        model,
        /** `calls`: tries that failed among them. `unreported`: answers without a usage, in no other figure. */
        ...counts,
        failures: addCounts([failures]),
        usd: prices === undefined ? null : usd,
        pricesOf: prices?.asOf ?? null,
      }
    },
  }
}

/** Ports reject with nothing else; a port that does is broken, which is no reason to lose the other answers. */
function toModelError(error: unknown): ModelError {
  if (ModelError.isInstance(error)) return error
  return new ModelError('unknown', errorText(error), { cause: error })
}

/** The cost of a request in US dollars. Cache writes count as short-lived unless their lifetime is reported. */
function priceUsage(usage: Usage, prices: CachePricing): number {
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

/** The outcome of a request. Rejects when aborted, and when others would fail too: a refused key, a lasting limit. */
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
