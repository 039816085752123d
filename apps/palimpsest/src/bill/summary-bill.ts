import {
  type CompletionModel,
  type CompressResult,
  type EngineStatus,
  isSummary,
  looseOf,
  type TokenCounter,
} from '@palimpsest/core'
import { type CachePricing, knownPricing } from '@palimpsest/prompt-caching'
import { type MeteredCall, meterCompletion } from '../serve/models/meter.ts'

const MILLION = 1_000_000

export interface SummaryBill {
  /** Summaries that were written, where the engine counts them, else compactions that made one. */
  readonly count: number
  /**
   * Their cost in this run, in US dollars: nothing without a model, null when its prices are not known or it did not
   * report what it used.
   */
  readonly usd: number | null
  /**
   * Their cost if the session's model had written them, in US dollars: it reads what is replaced as plain
   * input and writes the summary.
   */
  readonly asModelUsd: number
}

interface SummaryMeterInput {
  readonly tokens: TokenCounter
  readonly profile: CachePricing
  readonly model: CompletionModel | undefined
}

export function createSummaryMeter({ tokens, profile, model }: SummaryMeterInput) {
  const seen = new Set<string>()
  const used = { input: 0, output: 0 }
  let calls = 0
  let unreported = 0
  let count = 0
  let asModelUsd = 0

  const spent = (): number | null => {
    if (model === undefined || calls === 0) return 0
    const prices = knownPricing(model.name)
    return prices === undefined || unreported > 0 ? null : price(used, prices)
  }

  const note = ({ usage }: MeteredCall): void => {
    calls++
    if (usage === undefined) unreported++
    used.input += usage?.promptTokens ?? 0
    used.output += usage?.completionTokens ?? 0
  }

  return {
    model: model && meterCompletion(model, 'compaction', note),
    add({ messages, tokensBefore, tokensAfter }: CompressResult): void {
      const fresh = messages.filter((message) => isSummary(message) && !seen.has(JSON.stringify(message)))
      if (fresh.length === 0) return
      for (const message of fresh) seen.add(JSON.stringify(message))
      const output = fresh.reduce((sum, message) => sum + tokens.countMessage(message), 0)
      count++
      asModelUsd += price({ input: Math.max(0, tokensBefore - tokensAfter + output), output }, profile)
    },
    /** @param status of the engine: one with many summaries shows them again after each compaction, and says what it wrote. */
    bill(status?: EngineStatus): SummaryBill {
      const written = looseOf(status?.details?.summaries_written)
      if (typeof written.count !== 'number') return { count, usd: spent(), asModelUsd }
      const used = { input: Number(written.read), output: Number(written.tokens) }
      return { count: written.count, usd: spent(), asModelUsd: price(used, profile) }
    },
  }
}

function price(
  used: { readonly input: number; readonly output: number },
  { input, output }: CachePricing,
): number {
  return (used.input * input + used.output * output) / MILLION
}
