import {
  billedUsage,
  type CacheBill,
  type CachePlan,
  type Clock,
  isInstruction,
  type Message,
  messageText,
  type TokenCounter,
  type ToolSchema,
  type Usage,
} from '@palimpsest/core'
import { type CachePricing, createBillMeter, createCachePlanner, priceBill } from '@palimpsest/prompt-caching'
import type { ViewBill, ViewCache } from './session-view.ts'

export interface BilledRequest {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
  /** The whole history, and the tools that are the host's own: the request without an engine. */
  readonly transcript: readonly Message[]
  readonly hostTools: readonly ToolSchema[]
}

export interface ViewBillMeter {
  add(request: BilledRequest): void
  /** The provider counted a request. */
  report?(usage: Usage): void
  readonly bill: ViewBill | null
}

export interface BillInput {
  readonly prices: CachePricing
  readonly tokens: TokenCounter
  readonly clock: Clock
  /** Lifetime of breakpoints. Default `5m`. */
  readonly ttl?: '5m' | '1h'
}

const MILLION = 1_000_000

/** Prices requests with remembered breakpoints, in the other ways, and without an engine. */
export function createViewBillMeter(input: BillInput): ViewBillMeter {
  const { prices, tokens, clock, ttl = '5m' } = input
  const meter = createBillMeter(prices, { ttl })
  const planner = createCachePlanner({ pricing: prices, tokens, clock, ttl, onRequest: meter.add })
  const without = createWithoutMeter(input)
  let reported: ViewBill['reported']
  return {
    report(reportedUsage) {
      const usage = billedUsage(reportedUsage)
      const { prompts, answers } = reported ?? { prompts: 0, answers: 0 }
      reported = {
        prompts: prompts + priceBill(classesOf(usage), prices).usd,
        answers: answers + (usage.completionTokens * prices.output) / MILLION,
      }
    },
    add({ messages, tools, transcript, hostTools }) {
      const staticSystem = ownSystem(messages[0], transcript[0])
      planner.plan({ messages, tools, ...(staticSystem !== undefined && { staticSystem }) })
      without.add(transcript, hostTools)
    },
    get bill() {
      const { uncached, sticky, cacheReadShare } = meter.bill
      const { model, asOf } = prices
      return {
        model,
        asOf,
        uncached,
        sticky,
        cacheReadShare,
        without: without.usd,
        ...(reported && { reported }),
      }
    },
  }
}

/** The whole history's cost with the same caching. The work of pricing it grows with the session: it ends at `MAX_PRICED`. */
export interface WithoutMeter {
  add(transcript: readonly Message[], tools: readonly ToolSchema[]): void
  readonly usd: number | null
}

const MAX_PRICED = 10_000

export function createWithoutMeter({ prices, tokens, clock, ttl = '5m' }: BillInput): WithoutMeter {
  const planner = createCachePlanner({ pricing: prices, tokens, clock, ttl })
  let usd: number | null = 0
  return {
    add(messages, tools) {
      if (messages.length > MAX_PRICED) usd = null
      if (usd !== null) usd += planner.plan({ messages, tools }).expected.usd
    },
    get usd() {
      return usd
    },
  }
}

/** Characters of the host's own system prompt, where an engine has put something behind it. */
function ownSystem(sent: Message | undefined, own: Message | undefined): number | undefined {
  if (sent === undefined || own === undefined || !isInstruction(sent) || !isInstruction(own)) return undefined
  const [whole, text] = [messageText(sent), messageText(own)]
  return text !== '' && whole.length > text.length && whole.startsWith(text) ? text.length : undefined
}

/** A planner's expectation of a request; null without a planner. */
export function plannedCache(plan: CachePlan | null, prices: CachePricing | undefined): ViewCache | null {
  return plan === null ? null : viewCache(plan.expected, prices)
}

/** The provider's report of a request; null when it counts neither reads nor writes. */
export function reportedCache(usage: Usage, prices: CachePricing | undefined): ViewCache | null {
  if (usage.cacheReadTokens === undefined && usage.cacheWriteTokens === undefined) return null
  return viewCache(classesOf(usage), prices)
}

function viewCache(classes: Omit<CacheBill, 'usd'>, prices: CachePricing | undefined): ViewCache {
  const { read, write5m, write1h, uncached } = classes
  const usd = prices === undefined ? null : priceBill(classes, prices).usd
  return { read, written: write5m + write1h, uncached, usd }
}

function classesOf({
  promptTokens,
  cacheReadTokens = 0,
  cacheWriteTokens = 0,
  cacheWrite1hTokens = 0,
}: Usage) {
  const write1h = Math.min(cacheWriteTokens, cacheWrite1hTokens)
  const uncached = Math.max(0, promptTokens - cacheReadTokens - cacheWriteTokens)
  return { read: cacheReadTokens, write5m: cacheWriteTokens - write1h, write1h, uncached }
}
