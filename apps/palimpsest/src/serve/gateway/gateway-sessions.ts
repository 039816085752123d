import {
  type CachePlanner,
  type Clock,
  type ContextSession,
  type Loose,
  looseOf,
  normalizeUsage,
  type TokenCounter,
} from '@palimpsest/core'
import type { Config } from '@palimpsest/core/discovery'
import type { GatewayOptions, NextPing } from '@palimpsest/gateway'
import type { Inspector } from '@palimpsest/inspector'
import {
  type AnthropicRequest,
  knownPricing,
  PingImpossibleError,
  renderPing,
  type SessionCachePlanner,
  type SessionPauses,
} from '@palimpsest/prompt-caching'
import { OFFLINE_SUMMARIES, type SummaryModel } from '../../models/find-summary-model.ts'
import { createPromptCache, hasKept, type PromptCache } from '../../prompt-cache.ts'
import type { EngineModels, ServiceEngine } from '../service-engine.ts'

export interface GatewaySessionsInput {
  /** Of the upstream. */
  readonly baseUrl: string
  /** Of the upstreams of formats that are spoken elsewhere. */
  readonly formats: Readonly<Record<string, string | undefined>>
  readonly engine: Pick<ServiceEngine, 'open' | 'reader' | 'profile'>
  /** Read decisions. Without them, engines do that without a model. */
  readonly readers: Pick<EngineModels, 'extraction' | 'dedup'>
  /** Finds the model for summaries, by the model of the requests and its window, in tokens. Default: offline. */
  readonly summaries?: (model: string, window: number) => Promise<Pick<SummaryModel, 'model' | 'description'>>
  /** Shows every conversation. */
  readonly inspector: Pick<Inspector, 'watch' | 'pinged'>
  /** Where breakpoints stand that clients do not set themselves. */
  readonly promptCaching: Config['prompt_caching']
  /** The pauses of all conversations, earlier ones included. Default: those of this process. */
  readonly pauses?: SessionPauses[]
  readonly tokens: TokenCounter
  readonly clock: Clock
}

/** The sessions of a gateway: the engine of the service, shown on the page, with the breakpoints that the upstream takes. */
export function gatewaySessions(
  input: GatewaySessionsInput,
): Pick<GatewayOptions, 'open' | 'markCache' | 'nextPing'> {
  const { baseUrl, formats, engine, readers, inspector, promptCaching, pauses = [], tokens, clock } = input
  const { keep_alive_usd: budgetUsd } = promptCaching
  const pings = createGatewayPings(inspector)
  const caches = new Map<string, PromptCache>()
  const cacheOf = (to: AskedModel): PromptCache => {
    const key = `${to.api} ${to.model}`
    const known = caches.get(key)
    if (known !== undefined) return known
    if (caches.size >= KNOWN_MODELS) caches.clear()
    const made = makeCache(to)
    caches.set(key, made)
    return made
  }
  const makeCache = ({ api, model }: AskedModel) => {
    const at = { provider: providerOf(api), baseUrl: formats[api] ?? baseUrl }
    const caching = model === '' ? undefined : { model, ...at }
    const isAnthropic = api === ANTHROPIC
    return createPromptCache({ caching, settings: promptCaching, isAnthropic, pauses, tokens, clock })
  }
  return {
    async open({ sessionId, isMarked, isNamed, api, ...options }) {
      const { modelName: model = '', contextLength } = options
      const promptCache = cacheOf({ api, model })
      const keepAlive = api === ANTHROPIC && budgetUsd > 0 ? { budgetUsd } : null
      const planner =
        promptCache.isMarked && (!isMarked || keepAlive !== null)
          ? promptCache.createPlanner({ keepAlive, ...(isMarked && { ttl: '5m' }) })
          : undefined
      const cache = isMarked ? withoutRepairs(planner) : planner
      const summaries = await input.summaries?.(model, contextLength)
      const compaction = summaries?.model
      const models = { ...readers, ...(compaction && { compaction }) }
      const planned = { ...options, hidesReplaced: !isNamed, ...(cache !== undefined && { cache }) }
      const session = await engine.open(sessionId, models, planned)
      const prices = promptCache.prices ?? knownPricing(model)
      const watched = inspector.watch(session, {
        source: 'gateway',
        profile: engine.profile,
        model: model === '' ? null : `${providerOf(api)}:${model}`,
        summaries: summaries?.description ?? OFFLINE_SUMMARIES,
        reader: engine.reader(sessionId),
        ...(prices !== undefined && { prices }),
      })
      if (planner !== undefined && keepAlive !== null) pings.keep(watched, planner, isMarked)
      return watched
    },
    ...(budgetUsd > 0 && { nextPing: pings.nextPing }),
    markCache: (to, messages, plan) => cacheOf(to).mark({ messages }, plan).messages,
  }
}

/** The planner knows what the provider holds; the breakpoints are the client's own, and nothing is to be said of ours. */
function withoutRepairs(planner: CachePlanner | undefined): CachePlanner | undefined {
  return planner && { ...planner, plan: (call) => ({ ...planner.plan(call), repairs: [] }) }
}

interface AskedModel {
  readonly api: string
  readonly model: string
}

/** Models whose prompt caches are remembered; clients may name any. */
const KNOWN_MODELS = 100

/** The gateway's name of Anthropic's Messages API. */
const ANTHROPIC = 'anthropic-messages'

function providerOf(api: string): 'anthropic' | 'openai' {
  return api === ANTHROPIC ? 'anthropic' : 'openai'
}

/** Pings of conversations in Anthropic's format, as their planners plan them. */
interface GatewayPings {
  /**
   * The prompt of this conversation is to be kept in the cache.
   *
   * @param isMarked whether the breakpoints are its client's own.
   */
  keep(session: ContextSession, planner: SessionCachePlanner, isMarked: boolean): void
  readonly nextPing: NextPing
}

function createGatewayPings({ pinged }: Pick<Inspector, 'pinged'>): GatewayPings {
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
            return hasKept(usage)
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
