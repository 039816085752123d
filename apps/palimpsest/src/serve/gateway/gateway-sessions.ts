import type { Clock, TokenCounter } from '@palimpsest/core'
import type { GatewayOptions } from '@palimpsest/gateway'
import { knownProfile } from '@palimpsest/prompt-caching'
import { OFFLINE_SUMMARIES, type SummaryModel } from '../../models/find-summary-model.ts'
import type { ViewHub } from '../../page/view-hub.ts'
import { createPromptCache, type PromptCacheInput } from '../../prompt-cache.ts'
import type { EngineModels, ServiceEngine } from '../service-engine.ts'

export interface GatewaySessionsInput {
  /** Of the upstream. */
  readonly baseUrl: string
  readonly engine: Pick<ServiceEngine, 'open' | 'inspect' | 'profile'>
  /** Read decisions. Without them, engines do that without a model. */
  readonly readers: Pick<EngineModels, 'extraction' | 'dedup'>
  /** Who writes the summaries of a conversation, by the model of its requests and the window of that, in tokens. Default: offline. */
  readonly summaries?: (model: string, window: number) => Promise<Pick<SummaryModel, 'model' | 'description'>>
  /** Shows every conversation. */
  readonly hub: Pick<ViewHub, 'watch'>
  /** Where breakpoints stand that clients do not set themselves. */
  readonly promptCaching: PromptCacheInput['settings']
  readonly tokens: TokenCounter
  readonly clock: Clock
}

/** The sessions of a gateway: the engine of the service, shown on the page, with the breakpoints that the upstream takes. */
export function gatewaySessions(input: GatewaySessionsInput): Pick<GatewayOptions, 'open' | 'markCache'> {
  const { baseUrl, engine, readers, hub, promptCaching, tokens, clock } = input
  const cacheOf = (model: string) => {
    const caching = model === '' ? undefined : { model, provider: 'openai', baseUrl }
    return createPromptCache({ caching, settings: promptCaching, tokens, clock })
  }
  return {
    async open({ sessionId, isMarked, isNamed, ...options }) {
      const { modelName: model = '', contextLength } = options
      const promptCache = cacheOf(model)
      const cache = promptCache.isMarked && !isMarked ? promptCache.createPlanner() : undefined
      const summaries = await input.summaries?.(model, contextLength)
      const compaction = summaries?.model
      const models = { ...readers, ...(compaction && { compaction }) }
      const planned = { ...options, hidesReplaced: !isNamed, ...(cache !== undefined && { cache }) }
      const session = await engine.open(sessionId, models, planned)
      const prices = knownProfile(model)
      const recorder = hub.watch({
        session,
        source: 'gateway',
        profile: engine.profile,
        model: model === '' ? null : `openai:${model}`,
        summaries: summaries?.description ?? OFFLINE_SUMMARIES,
        tokens,
        clock,
        inspector: engine.inspect(sessionId),
        ...(prices !== undefined && { prices }),
      })
      return recorder.session
    },
    markCache: (model, messages, plan) => cacheOf(model).mark({ messages }, plan).messages,
  }
}
