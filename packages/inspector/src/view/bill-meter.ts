import {
  aroundCalls,
  type CachePlan,
  type Clock,
  type CompletionModel,
  type CompressResult,
  isSummary,
  looseOf,
  type Message,
  type TokenCounter,
  type ToolSchema,
  type Usage,
} from '@palimpsest/core'
import {
  type CachePricing,
  type CacheStrategy,
  createCachePlanner,
  knownPricing,
  priceUsage,
} from '@palimpsest/prompt-caching'
import type { ViewBill, ViewSummaryCost } from './session-view.ts'

export interface BilledRequest {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
  /** The session's cache plan. Null prices the request with the meter's own breakpoints. */
  readonly plan: CachePlan | null
  /** The whole history and the host's own tools: the request without an engine. */
  readonly transcript: readonly Message[]
  readonly hostTools: readonly ToolSchema[]
}

/** Computes what a session costs, for terminal, JSON and page alike. */
export interface BillMeter {
  /** Wraps a model so that its usage counts as the price of summaries. */
  metered(model: CompletionModel): CompletionModel
  add(request: BilledRequest): void
  compacted(result: Pick<CompressResult, 'messages' | 'tokensBefore' | 'tokensAfter'>): void
  report(usage: Usage): void
  /** @param details The engine's status details, which may say what it wrote. */
  bill(details?: Readonly<Record<string, unknown>>): ViewBill
}

export interface BillInput {
  readonly prices: CachePricing
  readonly tokens: TokenCounter
  readonly clock: Clock
  /** Lifetime of breakpoints, with and without the engine. Default `5m`. */
  readonly ttl?: '5m' | '1h'
  /** Strategy of breakpoints. Default `sticky`. */
  readonly strategy?: CacheStrategy
}

/** Longer histories are not priced without an engine, because the work grows with them. */
const MAX_PRICED = 10_000

const MILLION = 1_000_000

export function createBillMeter({ prices, tokens, clock, ttl, strategy }: BillInput): BillMeter {
  const createPlanner = () =>
    createCachePlanner({ pricing: prices, tokens, clock, ...(ttl && { ttl }), ...(strategy && { strategy }) })
  const own = createPlanner()
  const whole = createPlanner()
  /** The same prompts with the engine's tools and without them: the difference is what they cost. */
  const tooled = createPlanner()
  const bare = createPlanner()
  const prompts = { usd: 0, tokens: 0, read: 0, tools: 0 }
  let without: number | null = 0
  const paid = { calls: 0, usd: 0, isKnown: true }
  const estimated = { count: 0, usd: 0 }
  let last: { readonly tokens: number; readonly at: number } | undefined
  const seen = new Set<string>()
  let reported: ViewBill['reported']

  const pay = (model: string, usage: Usage | undefined): void => {
    const own = knownPricing(model)
    paid.calls++
    if (own === undefined || usage === undefined) {
      paid.isKnown = false
      return
    }
    const { prompt, answer } = priceUsage(usage, own.model === prices.model ? prices : own)
    paid.usd += prompt + answer
  }
  const charge = (input: number, output: number) => (input * prices.input + output * prices.output) / MILLION
  /**
   * The cost of a summary's request, in tokens at full price: the replaced messages, or the cached last prompt if that
   * is cheaper.
   */
  const askedTokens = (replaced: number): number => {
    const { seconds } = (ttl === '1h' && prices.long) || prices.short
    const isHeld = last !== undefined && clock.now() - last.at <= seconds * 1000 && strategy !== 'off'
    return isHeld ? Math.min(replaced, (last?.tokens ?? 0) * prices.read) : replaced
  }
  const summaries = (details: Readonly<Record<string, unknown>>): ViewSummaryCost => {
    const written = looseOf(details.summaries_written)
    if (paid.calls > 0 && paid.isKnown) return { requests: paid.calls, usd: paid.usd, isPaid: true }
    if (typeof written.count !== 'number')
      return { requests: estimated.count, usd: estimated.usd, isPaid: false }
    const usd = charge(Number(written.read), Number(written.tokens))
    return { requests: written.count, usd, isPaid: false }
  }

  return {
    metered: (model) =>
      aroundCalls(model, async (ask, signal) => {
        const answer = await ask(signal)
        pay(model.name, answer.usage)
        return answer
      }),
    add({ messages, tools, plan, transcript, hostTools }) {
      const { usd, ...classes } = plan?.expected ?? own.plan({ messages, tools }).expected
      prompts.usd += usd
      if (tools.length > hostTools.length)
        prompts.tools +=
          tooled.plan({ messages, tools }).expected.usd -
          bare.plan({ messages, tools: hostTools }).expected.usd
      prompts.read += classes.read
      const size = Object.values(classes).reduce((sum, count) => sum + count, 0)
      last = { tokens: size, at: clock.now() }
      prompts.tokens += size
      if (transcript.length > MAX_PRICED) without = null
      if (without !== null) without += whole.plan({ messages: transcript, tools: hostTools }).expected.usd
    },
    compacted({ messages, tokensBefore, tokensAfter }) {
      const fresh = messages.filter((message) => isSummary(message) && !seen.has(JSON.stringify(message)))
      if (fresh.length === 0) return
      for (const message of fresh) seen.add(JSON.stringify(message))
      const output = fresh.reduce((sum, message) => sum + tokens.countMessage(message), 0)
      estimated.count++
      estimated.usd += charge(askedTokens(Math.max(0, tokensBefore - tokensAfter + output)), output)
    },
    report(usage) {
      const { prompt, answer } = priceUsage(usage, prices)
      const { prompts: before, answers } = reported ?? { prompts: 0, answers: 0 }
      reported = { prompts: before + prompt, answers: answers + answer }
    },
    bill(details = {}) {
      const { model, asOf } = prices
      const cost = summaries(details)
      return {
        ...{ model, asOf, without, with: prompts.usd + cost.usd, summaries: cost },
        tools: Math.max(0, prompts.tools),
        cacheReadShare: prompts.tokens === 0 ? 0 : prompts.read / prompts.tokens,
        ...(reported && { reported }),
      }
    },
  }
}
