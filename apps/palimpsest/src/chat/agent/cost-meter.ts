import type { CompletionModel, Usage } from '@palimpsest/core'
import { type CachePricing, knownPricing, priceBill } from '@palimpsest/prompt-caching'
import { OFFLINE_MODEL } from '../../serve/models/offline-answerer.ts'
import type { ChatCosts } from '../chat-agent.ts'

/** Adds up what requests cost. */
export interface CostMeter {
  /** A request was sent; `usage`: undefined when its usage is not known, as after an abort. */
  note(model: string, usage: Usage | undefined): void
  costs(): ChatCosts
}

const MILLION = 1_000_000

/**
 * @param answering the model that answers, if there is one, whose prices are those of the place where it is served; other models
 *   have the prices of their makers.
 */
export function createCostMeter(answering: string | undefined, prices: CachePricing | undefined): CostMeter {
  let total: ChatCosts = {
    requests: 0,
    promptTokens: 0,
    cachedTokens: 0,
    completionTokens: 0,
    usd: 0,
    unreported: 0,
  }
  const profileOf = (model: string) => (model === answering && prices ? prices : knownPricing(model))

  return {
    note(model, usage) {
      // What quotes the context costs nothing.
      if (model === OFFLINE_MODEL) return
      const { requests, unreported, promptTokens, cachedTokens, completionTokens, usd } = total
      if (usage === undefined) {
        total = { ...total, requests: requests + 1, unreported: unreported + 1 }
        return
      }
      const price = priceOf(usage, profileOf(model))
      total = {
        requests: requests + 1,
        promptTokens: promptTokens + usage.promptTokens,
        cachedTokens: cachedTokens + (usage.cacheReadTokens ?? 0),
        completionTokens: completionTokens + usage.completionTokens,
        usd: usd === null || price === null ? null : usd + price,
        unreported,
      }
    },
    costs: () => total,
  }
}

/** In US dollars; null when the prices are not known. */
function priceOf(usage: Usage, profile: CachePricing | undefined): number | null {
  if (profile === undefined) return null
  const { promptTokens, cacheReadTokens = 0, cacheWriteTokens = 0, cacheWrite1hTokens = 0 } = usage
  const read = Math.min(cacheReadTokens, promptTokens)
  const written = Math.min(cacheWriteTokens, promptTokens - read)
  const write1h = Math.min(cacheWrite1hTokens, written)
  const classes = { read, write5m: written - write1h, write1h, uncached: promptTokens - read - written }
  return priceBill(classes, profile).usd + (usage.completionTokens * profile.output) / MILLION
}

/** The same model; every request is noted. */
export function meterCompletion(model: CompletionModel, { note }: CostMeter): CompletionModel {
  return {
    ...model,
    async complete(call) {
      let usage: Usage | undefined
      try {
        const completion = await model.complete(call)
        usage = completion.usage
        return completion
      } finally {
        note(model.name, usage)
      }
    },
  }
}
