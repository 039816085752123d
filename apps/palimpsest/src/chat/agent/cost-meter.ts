import type { CompletionModel, Usage } from '@palimpsest/core'
import type { CachePricing } from '@palimpsest/prompt-caching'
import { OFFLINE_MODEL } from '../../serve/models/offline-answerer.ts'
import { paidTokens, priceOf } from '../../serve/models/price-of.ts'
import type { ChatCosts } from '../chat-agent.ts'

/** Adds up what requests cost. */
export interface CostMeter {
  /** A request was sent; `usage`: undefined when its usage is not known, as after an abort. */
  note(model: string, usage: Usage | undefined): void
  costs(): ChatCosts
}

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
  const pricesOf = (model: string) => (model === answering && prices ? prices : model)

  return {
    note(model, usage) {
      // An answer that quotes the context costs nothing.
      if (model === OFFLINE_MODEL) return
      const { requests, unreported, promptTokens, cachedTokens, completionTokens, usd } = total
      if (usage === undefined) {
        total = { ...total, requests: requests + 1, unreported: unreported + 1 }
        return
      }
      const price = priceOf(pricesOf(model), paidTokens(usage))
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
