import type { CachePlan, CachePlanner, ChatCall, Clock, TokenCounter } from '@palimpsest/core'
import {
  type CacheProfile,
  type CacheSetting,
  type Caching,
  cachingStatusLine,
  createCachePlanner,
  findCaching,
  openaiMessagesWire,
} from '@palimpsest/prompt-caching'
import type { ChatAgentInput } from './chat-agent-input.ts'

type SentPrompt = Pick<ChatCall, 'messages'>

/** What is known of the cache of the model's provider. */
export interface PromptCache {
  /** For people. */
  readonly line: string
  /** Undefined when the model's prices are not known. */
  readonly prices: CacheProfile | undefined
  /** A planner for one session; undefined where there is nothing to plan. */
  createPlanner(): CachePlanner | undefined
  /** The prompt with the plan's breakpoints, where the provider takes them in messages. */
  mark<Prompt extends SentPrompt>(prompt: Prompt, plan: CachePlan | null): Prompt
}

interface PromptCacheInput {
  readonly caching: ChatAgentInput['caching']
  readonly setting: CacheSetting
  readonly tokens: TokenCounter
  readonly clock: Clock
}

export function createPromptCache({ caching: where, setting, tokens, clock }: PromptCacheInput): PromptCache {
  if (where === undefined)
    return {
      line: 'Prompt caching: nothing to cache, no model answers',
      prices: undefined,
      createPlanner: () => undefined,
      mark: (prompt) => prompt,
    }
  const caching = findCaching({ ...where, setting })
  const wire = markedWire(caching)
  const { profile, ttl } = caching
  const isUnmarked = caching.kind === 'markers' && wire === undefined
  return {
    line: isUnmarked
      ? `Prompt caching: left to ${caching.endpoint}, this chat sends it no breakpoints`
      : cachingStatusLine(caching),
    prices: profile ?? undefined,
    createPlanner() {
      if (profile === null) return undefined
      return createCachePlanner({
        profile,
        tokens,
        clock,
        ...(wire !== undefined && { wire }),
        // Where no marker can be sent, the provider does what it does, and only the bill is expected.
        ...(isUnmarked && { strategy: 'off' }),
        ...(ttl !== null && { ttl: ttl === 'auto' || ttl === '1h' ? ttl : '5m' }),
      })
    },
    mark: (prompt, plan) =>
      wire === undefined || plan === null ? prompt : wire.apply(prompt, plan.anchors, plan.staticSystem),
  }
}

/** The markers that stand in messages of OpenAI's shape. All others need a request that a `ChatModel` does not make. */
function markedWire({ kind, wire }: Caching) {
  if (kind !== 'markers') return undefined
  return wire === 'openrouter' || wire === 'litellm' ? openaiMessagesWire(wire) : undefined
}
