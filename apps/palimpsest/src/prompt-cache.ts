import type { CachePlan, ChatCall, Clock, CompletionModel, TokenCounter } from '@palimpsest/core'
import type { Config } from '@palimpsest/core/discovery'
import { type BillMeter, createBillMeter } from '@palimpsest/inspector'
import {
  type CachePricing,
  type Caching,
  cachingStatusLine,
  createCachePlanner,
  type FindCachingInput,
  findCaching,
  findPricing,
  openaiMessagesWire,
  type SessionCachePlanner,
} from '@palimpsest/prompt-caching'

type SentPrompt = Pick<ChatCall, 'messages'>

export interface PromptCache {
  readonly line: string
  readonly prices: CachePricing | undefined
  readonly isMarked: boolean
  createBill(other?: CachePricing): BillMeter | undefined
  createPlanner(): SessionCachePlanner | undefined
  mark<Prompt extends SentPrompt>(prompt: Prompt, plan: CachePlan | null): Prompt
}

export interface PromptCacheInput {
  readonly caching: Pick<FindCachingInput, 'model' | 'provider' | 'baseUrl'> | undefined
  readonly settings: Config['prompt_caching']
  /** True if the gateway converts marked messages to Anthropic's shape. Default false. */
  readonly isAnthropic?: boolean
  readonly tokens: TokenCounter
  readonly clock: Clock
}

const LIKE = { model: 'claude-sonnet-5-5', route: 'openrouter' } as const

export const NO_MODEL_CACHING = 'Prompt caching: nothing to cache, no model answers'

export function createPromptCache({
  caching: where,
  settings,
  isAnthropic = false,
  tokens,
  clock,
}: PromptCacheInput): PromptCache {
  if (where === undefined)
    return {
      line: NO_MODEL_CACHING,
      prices: undefined,
      isMarked: false,
      createBill: () => undefined,
      createPlanner: () => undefined,
      mark: (prompt) => prompt,
    }
  const { cache_ttl: setting, strategy } = settings
  const cachingOf = (model: string): Caching =>
    findCaching({ ...where, ...routeOf(where.baseUrl, settings), model, setting })
  const caching = cachingOf(where.model)
  const wireTo = (to: Caching) =>
    isAnthropic ? (to.kind === 'markers' ? openaiMessagesWire('native') : undefined) : markedWire(to)
  // Anthropic's own API gets the plan with each call.
  const isNative = where.provider === 'anthropic' && !isAnthropic
  const isMarkedAt = (to: Caching) =>
    wireTo(to) !== undefined || (isNative && to.kind === 'markers' && to.wire === 'anthropic')
  const wire = wireTo(caching)
  const isMarked = isMarkedAt(caching)
  const pricing = placingPricing(caching, isMarked)
  // Without markers, the provider caches on its own and only the bill is computed.
  const placed = {
    strategy: isMarked ? strategy : 'off',
    ttl: caching.ttl === '1h' ? '1h' : '5m',
  } as const
  return {
    line: statusLine(caching, strategy, isMarked),
    prices: caching.pricing ?? undefined,
    isMarked,
    createBill(other) {
      const prices = caching.pricing ?? other
      const how = caching.pricing === null ? {} : placed
      return prices && createBillMeter({ prices, tokens, clock, ...how })
    },
    createPlanner() {
      if (pricing === null) return undefined
      return createCachePlanner({
        pricing,
        tokens,
        clock,
        pricingOf: (model) => {
          const after = cachingOf(model)
          return pricingAfter(after, isMarkedAt(after), pricing)
        },
        ...(wire !== undefined && { wire }),
        ...placed,
      })
    },
    mark: (prompt, plan) => (wire === undefined || plan === null ? prompt : wire.apply(prompt, plan)),
  }
}

export function markedCompletion(
  model: CompletionModel,
  { mark }: Pick<PromptCache, 'mark'>,
): CompletionModel {
  const { chat } = model
  return chat === undefined ? model : { ...model, chat: (call) => chat(mark(call, call.cache ?? null)) }
}

function routeOf(
  baseUrl: string | undefined,
  { route }: Pick<Config['prompt_caching'], 'route'>,
): Pick<FindCachingInput, 'route'> {
  return baseUrl === undefined || route === undefined ? {} : { route }
}

/** Markers in OpenAI-shaped messages. Others need a request that a `ChatModel` does not make. */
function markedWire({ kind, wire }: Caching) {
  if (kind !== 'markers') return undefined
  return wire === 'openrouter' || wire === 'litellm' ? openaiMessagesWire(wire) : undefined
}

function placingPricing(caching: Caching, isMarked: boolean): CachePricing | null {
  return caching.pricing ?? (isMarked ? findPricing(LIKE) : null)
}

function pricingAfter(caching: Caching, isMarked: boolean, before: CachePricing): CachePricing {
  const pricing = placingPricing(caching, isMarked) ?? before
  return isMarked ? pricing : { ...pricing, maxBreakpoints: 0 }
}

function statusLine(caching: Caching, strategy: string, isMarked: boolean): string {
  const { kind, endpoint } = caching
  const line = cachingStatusLine(caching)
  if (kind !== 'markers') return line
  if (isMarked) return strategy === 'sticky' ? line : `${line}, ${strategy}`
  return `Prompt caching: off (${endpoint} takes breakpoints in an API of its own only: name the model as anthropic:<name>)`
}
