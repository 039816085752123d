import { setTimeout } from 'node:timers/promises'
import { abortable, ModelError, type ModelErrorKind, type Usage } from '@palimpsest/core'
import { findPrices } from '../cost/find-prices.ts'
import type { ModelSpend } from './judge-report.ts'
import { priceUsage } from './price-usage.ts'

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

/** Sends requests to one model and counts what they cost. */
export interface ModelMeter {
  /** Tries again what may pass. Rejects with the last `ModelError`, and with the signal's reason when aborted. */
  send<Answer extends { readonly usage?: Usage }>(request: () => Promise<Answer>): Promise<Answer>
  /** So far. */
  readonly spend: ModelSpend
}

export function createModelMeter({ model, signal, sleep }: MeterInput): ModelMeter {
  const prices = findPrices(model)
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
