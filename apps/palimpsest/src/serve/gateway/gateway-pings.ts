import { type ContextSession, type Loose, looseOf, normalizeUsage } from '@palimpsest/core'
import type { NextPing } from '@palimpsest/gateway'
import type { Inspector } from '@palimpsest/inspector'
import {
  type AnthropicRequest,
  PingImpossibleError,
  renderPing,
  type SessionCachePlanner,
} from '@palimpsest/prompt-caching'

/** Pings of conversations in Anthropic's format, as their planners plan them. */
export interface GatewayPings {
  /**
   * The prompt of this conversation is to be kept in the cache.
   *
   * @param isMarked whether the breakpoints are its client's own.
   */
  keep(session: ContextSession, planner: SessionCachePlanner, isMarked: boolean): void
  readonly nextPing: NextPing
}

export function createGatewayPings({ pinged }: Pick<Inspector, 'pinged'>): GatewayPings {
  const kept = new WeakMap<ContextSession, [SessionCachePlanner, boolean]>()
  return {
    keep: (session, planner, isMarked) => void kept.set(session, [planner, isMarked]),
    nextPing(session, body) {
      const [planner, isMarked] = kept.get(session) ?? []
      const ping = planner?.nextPing()
      if (!planner || !ping || (isMarked && !isMarkedToEnd(body))) return undefined
      const rendered = renderedPing(body)
      return (
        rendered && {
          at: ping.at,
          body: rendered,
          sent: () => planner.pinged(ping),
          answered(reported) {
            const usage = normalizeUsage(reported)
            if (usage === null) return false
            pinged(session.id, usage)
            return usage.completionTokens === 0 && 2 * (usage.cacheReadTokens ?? 0) >= usage.promptTokens
          },
        }
      )
    },
  }
}

/** Whether a client has the whole prompt cached for the short time. */
function isMarkedToEnd({ cache_control: ofAll, messages }: Loose): boolean {
  const { content } = looseOf(Array.isArray(messages) ? messages.at(-1) : undefined)
  const last = looseOf(Array.isArray(content) ? content.at(-1) : undefined)
  const { type, ttl = '5m' } = looseOf(last.cache_control ?? ofAll)
  return type === 'ephemeral' && ttl === '5m'
}

/** Undefined for a request that cannot be sent without an answer. */
function renderedPing(body: Loose): Loose | undefined {
  try {
    return renderPing(body as unknown as AnthropicRequest) as unknown as Loose
  } catch (error) {
    if (PingImpossibleError.isInstance(error)) return undefined
    throw error
  }
}
