import { type CompletionModel, type CompressResult, isSummary, type TokenCounter } from '@palimpsest/core'
import type { CacheProfile } from '@palimpsest/prompt-caching'
import { knownProfile } from './bill-profile.ts'

const MILLION = 1_000_000

/** What the summaries of a session cost. */
export interface SummaryBill {
  /** Compactions that made a summary. */
  readonly count: number
  /** What they cost in this run, in US dollars: nothing without a model, null when its prices are not known. */
  readonly usd: number | null
  /**
   * What they would cost if the session's model had written them, in US dollars: it reads what is replaced as plain
   * input and writes the summary.
   */
  readonly asModelUsd: number
}

export interface SummaryMeter {
  /** The summariser, with its calls counted. Undefined without one. */
  readonly model: CompletionModel | undefined
  /** A compaction that was committed. */
  add(result: CompressResult): void
  readonly bill: SummaryBill
}

export function createSummaryMeter(
  tokens: TokenCounter,
  profile: CacheProfile,
  model: CompletionModel | undefined,
): SummaryMeter {
  const known = new Set<string>()
  const used = { input: 0, output: 0 }
  let count = 0
  let asModelUsd = 0

  const spent = (): number | null => {
    if (model === undefined) return 0
    const prices = knownProfile(model.name)
    return prices === undefined ? null : price(used, prices)
  }

  return {
    model: model && {
      ...model,
      async complete(call) {
        const completion = await model.complete(call)
        used.input += completion.usage?.promptTokens ?? 0
        used.output += completion.usage?.completionTokens ?? 0
        return completion
      },
    },
    add({ messages, tokensBefore, tokensAfter }) {
      const fresh = messages.filter((message) => isSummary(message) && !known.has(JSON.stringify(message)))
      if (fresh.length === 0) return
      for (const message of fresh) known.add(JSON.stringify(message))
      const output = fresh.reduce((sum, message) => sum + tokens.countMessage(message), 0)
      count++
      asModelUsd += price({ input: Math.max(0, tokensBefore - tokensAfter + output), output }, profile)
    },
    get bill() {
      return { count, usd: spent(), asModelUsd }
    },
  }
}

function price(
  used: { readonly input: number; readonly output: number },
  { input, output }: CacheProfile,
): number {
  return (used.input * input + used.output * output) / MILLION
}
