import type { CachePlan, CachePlanner, ChatCall, Clock, TokenCounter } from '@palimpsest/core'
import type { Config } from '@palimpsest/discovery'
import {
  type CachePricing,
  type Caching,
  cachingStatusLine,
  createCachePlanner,
  type FindCachingInput,
  findCaching,
  findPricing,
  openaiMessagesWire,
} from '@palimpsest/prompt-caching'

type SentPrompt = Pick<ChatCall, 'messages'>

/** The cache of the model's provider. */
export interface PromptCache {
  /** For people. */
  readonly line: string
  /** Undefined when the model's prices are not known. */
  readonly prices: CachePricing | undefined
  /** Whether breakpoints are sent. */
  readonly isMarked: boolean
  /** A planner for one session; undefined where there is nothing to plan. */
  createPlanner(): CachePlanner | undefined
  /** The prompt with the plan's breakpoints, where the provider takes them in messages. */
  mark<Prompt extends SentPrompt>(prompt: Prompt, plan: CachePlan | null): Prompt
}

export interface PromptCacheInput {
  /** Which model is served where; undefined when no model answers. */
  readonly caching: Pick<FindCachingInput, 'model' | 'provider' | 'baseUrl'> | undefined
  readonly settings: Config['prompt_caching']
  /** Whether requests go out in the shape of Anthropic's API. Default false: in OpenAI's. */
  readonly isAnthropic?: boolean
  readonly tokens: TokenCounter
  readonly clock: Clock
}

/** Places breakpoints as this one's provider does where nothing is known of the model itself. */
const LIKE = { model: 'claude-sonnet-5-5', route: 'openrouter' } as const

export function createPromptCache({
  caching: where,
  settings,
  isAnthropic = false,
  tokens,
  clock,
}: PromptCacheInput): PromptCache {
  if (where === undefined)
    return {
      line: 'Prompt caching: nothing to cache, no model answers',
      prices: undefined,
      isMarked: false,
      createPlanner: () => undefined,
      mark: (prompt) => prompt,
    }
  const { cache_ttl: setting, strategy } = settings
  const cachingOf = (model: string): Caching =>
    findCaching({ ...where, ...routeOf(where.baseUrl, settings), model, setting })
  const caching = cachingOf(where.model)
  const wireTo = (to: Caching) => (isAnthropic ? anthropicWire(to) : markedWire(to))
  const wire = wireTo(caching)
  const pricing = placingPricing(caching, wire)
  const { ttl } = caching
  return {
    line: statusLine(caching, strategy),
    prices: caching.pricing ?? undefined,
    isMarked: wire !== undefined,
    createPlanner() {
      if (pricing === null) return undefined
      return createCachePlanner({
        pricing,
        tokens,
        clock,
        pricingOf: (model) => {
          const after = cachingOf(model)
          return pricingAfter(after, wireTo(after), pricing)
        },
        ...(wire !== undefined && { wire }),
        // Where no marker can be sent, the provider does what it does, and only the bill is expected.
        strategy: caching.kind === 'markers' && wire === undefined ? 'off' : strategy,
        ...(ttl !== null && { ttl: ttl === 'auto' || ttl === '1h' ? ttl : '5m' }),
      })
    },
    mark: (prompt, plan) =>
      wire === undefined || plan === null ? prompt : wire.apply(prompt, plan.anchors, plan.staticSystem),
  }
}

/** The route that `config.yaml` names for an address, where there is one. */
export function routeOf(
  baseUrl: string | undefined,
  { route }: Pick<Config['prompt_caching'], 'route'>,
): Pick<FindCachingInput, 'route'> {
  return baseUrl === undefined || route === undefined ? {} : { route }
}

/** The markers that stand in messages of OpenAI's shape. All others need a request that a `ChatModel` does not make. */
function markedWire({ kind, wire }: Caching) {
  if (kind !== 'markers') return undefined
  return wire === 'openrouter' || wire === 'litellm' ? openaiMessagesWire(wire) : undefined
}

/** The markers that the gateway makes Anthropic's of. */
function anthropicWire({ kind, wire }: Caching) {
  return kind === 'markers' && wire !== 'openai' ? openaiMessagesWire('native') : undefined
}

/** By what breakpoints are placed: also models without known prices are marked where markers are taken. */
function placingPricing(caching: Caching, wire: object | undefined): CachePricing | null {
  return caching.pricing ?? (wire === undefined ? null : findPricing(LIKE))
}

/** Of the model that a conversation goes on with: nothing is marked for one that takes no markers. */
function pricingAfter(caching: Caching, wire: object | undefined, before: CachePricing): CachePricing {
  const pricing = placingPricing(caching, wire) ?? before
  return wire === undefined ? { ...pricing, maxBreakpoints: 0 } : pricing
}

function statusLine(caching: Caching, strategy: string): string {
  const { kind, wire, endpoint } = caching
  const line = cachingStatusLine(caching)
  if (kind !== 'markers') return line
  if (markedWire(caching) !== undefined) return strategy === 'sticky' ? line : `${line}, ${strategy}`
  return wire === 'openai'
    ? `Prompt caching: left to ${endpoint}, this chat sends it no breakpoints`
    : `Prompt caching: off (${endpoint} takes breakpoints in an API of its own only, and this chat speaks that of OpenAI)`
}
