import type { Clock, TokenCounter } from '@palimpsest/core'
import type { Config } from '@palimpsest/core/discovery'
import type { GatewayOptions } from '@palimpsest/gateway'
import type { Inspector } from '@palimpsest/inspector'
import { knownPricing } from '@palimpsest/prompt-caching'
import { OFFLINE_SUMMARIES, type SummaryModel } from '../../models/find-summary-model.ts'
import { createPromptCache, type PromptCache } from '../../prompt-cache.ts'
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
  readonly inspector: Pick<Inspector, 'watch'>
  /** Where breakpoints stand that clients do not set themselves. */
  readonly promptCaching: Config['prompt_caching']
  readonly tokens: TokenCounter
  readonly clock: Clock
}

/** The sessions of a gateway: the engine of the service, shown on the page, with the breakpoints that the upstream takes. */
export function gatewaySessions(input: GatewaySessionsInput): Pick<GatewayOptions, 'open' | 'markCache'> {
  const { baseUrl, formats, engine, readers, inspector, promptCaching, tokens, clock } = input
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
    return createPromptCache({ caching, settings: promptCaching, isAnthropic, tokens, clock })
  }
  return {
    async open({ sessionId, isMarked, isNamed, api, ...options }) {
      const { modelName: model = '', contextLength } = options
      const promptCache = cacheOf({ api, model })
      const cache = promptCache.isMarked && !isMarked ? promptCache.createPlanner() : undefined
      const summaries = await input.summaries?.(model, contextLength)
      const compaction = summaries?.model
      const models = { ...readers, ...(compaction && { compaction }) }
      const planned = { ...options, hidesReplaced: !isNamed, ...(cache !== undefined && { cache }) }
      const session = await engine.open(sessionId, models, planned)
      const prices = promptCache.prices ?? knownPricing(model)
      return inspector.watch(session, {
        source: 'gateway',
        profile: engine.profile,
        model: model === '' ? null : `${providerOf(api)}:${model}`,
        summaries: summaries?.description ?? OFFLINE_SUMMARIES,
        reader: engine.reader(sessionId),
        ...(prices !== undefined && { prices }),
      })
    },
    markCache: (to, messages, plan) => cacheOf(to).mark({ messages }, plan).messages,
  }
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
