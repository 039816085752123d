import type { Clock, CompletionModel, TokenCounter } from '@palimpsest/core'
import type { Config } from '@palimpsest/core/discovery'
import {
  createGateway,
  type Gateway,
  type GatewayLimits,
  isLoopback,
  type SessionLocks,
} from '@palimpsest/gateway'
import type { Inspector } from '@palimpsest/inspector'
import { knownPricing } from '@palimpsest/prompt-caching'
import { chooseSummaryModel } from '../../models/choose-summary-model.ts'
import { OFFLINE_SUMMARIES, openSummaryModel, type SummaryModel } from '../../models/find-summary-model.ts'
import type { ModelAccess } from '../../models/model-access.ts'
import type { SummaryBlock } from '../../models/summary-key.ts'
import { createPromptCache, type PromptCache } from '../../prompt-cache.ts'
import { UsageError } from '../../usage-error.ts'
import type { ServeOptions } from '../serve-options.ts'
import type { EngineModels, ServiceEngine } from '../service-engine.ts'
import type { ServiceStore } from '../service-store.ts'
import { createConversationIndex } from './conversation-index.ts'

/** A key does not belong in a file or on a command line. */
export const UPSTREAM_KEY = 'PALIMPSEST_UPSTREAM_KEY'

export interface OpenGatewayInput {
  readonly baseUrl: string
  readonly options: ServeOptions['upstream']
  readonly apiKey: string | undefined
  readonly port: number
  readonly store: Pick<ServiceStore, 'store' | 'principal'>
  readonly locks: SessionLocks
  readonly engine: Pick<ServiceEngine, 'open' | 'reader'>
  /** Reads decisions. Default: the model that writes summaries. */
  readonly readers: Pick<EngineModels, 'extraction'>
  readonly summaries: GatewaySummaries
  readonly inspector: Pick<Inspector, 'watch'>
  readonly promptCaching: Config['prompt_caching']
  readonly window: number
  readonly maxWindow?: number
  readonly hasToken: boolean
  readonly oneUser?: boolean
  readonly limits: Partial<GatewayLimits>
  readonly tokens: TokenCounter
  readonly clock: Clock
  readonly log: (line: string) => void
}

export function openGateway(input: OpenGatewayInput): Gateway {
  const { baseUrl, options, apiKey, port, store, engine, hasToken, clock } = input
  const { formats, windows } = options
  for (const url of [baseUrl, ...Object.values(formats)])
    if (url !== undefined) checkUpstream(url, apiKey, port)
  if (hasToken && apiKey === undefined)
    throw new UsageError(
      `with a token, clients send that in the place of the upstream's key: set the key in ${UPSTREAM_KEY}`,
    )
  if (hasToken && Object.keys(formats).length > 0)
    throw new UsageError(
      `serve.upstream.formats: with a token, clients send that in the place of a key, and ${UPSTREAM_KEY} goes to serve.upstream.base_url alone`,
    )
  const cacheOf = promptCaches(input)
  return createGateway({
    async open({ sessionId, isMarked, isNamed, api, ...opening }) {
      const { modelName: model = '', contextLength } = opening
      const cache = cacheOf({ api, model })
      const planner = cache.isMarked && !isMarked ? cache.createPlanner() : undefined
      const summaries = await input.summaries.open(model, contextLength)
      const prices = cache.prices ?? knownPricing(model)
      const bill = cache.createBill(prices)
      const metered = (model: CompletionModel) => bill?.metered(model) ?? model
      const { extraction } = input.readers
      const models = {
        ...(extraction && { extraction: metered(extraction) }),
        ...(summaries.model && { compaction: metered(summaries.model) }),
      }
      const planned = {
        ...opening,
        hidesReplaced: !isNamed,
        ...(planner !== undefined && { cache: planner }),
      }
      const session = await engine.open(sessionId, models, planned)
      return input.inspector.watch(session, {
        source: 'gateway',
        model: model === '' ? null : `${providerOf(api)}:${model}`,
        summaries: summaries.description ?? OFFLINE_SUMMARIES,
        reader: engine.reader(sessionId),
        ...(prices !== undefined && { prices }),
        ...(bill && { bill }),
      })
    },
    markCache(to, messages, plan) {
      const cache = cacheOf(to)
      const own = plan === undefined ? cache.createPlanner()?.plan({ messages, tools: [] }) : plan
      return cache.mark({ messages }, own ?? null).messages
    },
    index: createConversationIndex(store, clock),
    upstream: { baseUrl, formats, ...(apiKey !== undefined && { apiKey }) },
    ...{
      locks: input.locks,
      window: input.window,
      ...(input.maxWindow !== undefined && { maxWindow: input.maxWindow }),
      windows,
      hasToken,
      oneUser: input.oneUser ?? false,
      limits: input.limits,
      clock,
      log: input.log,
    },
  })
}

interface AskedModel {
  readonly api: string
  readonly model: string
}

const KNOWN_MODELS = 100
const ANTHROPIC = 'anthropic-messages'

function providerOf(api: string): 'anthropic' | 'openai' {
  return api === ANTHROPIC ? 'anthropic' : 'openai'
}

function promptCaches({ baseUrl, options, promptCaching, tokens, clock }: OpenGatewayInput) {
  const formats: Readonly<Record<string, string | undefined>> = options.formats
  const caches = new Map<string, PromptCache>()
  return ({ api, model }: AskedModel): PromptCache => {
    const key = `${api} ${model}`
    const at = { provider: providerOf(api), baseUrl: formats[api] ?? baseUrl }
    const caching = model === '' ? undefined : { model, ...at }
    const isAnthropic = api === ANTHROPIC
    const cache =
      caches.get(key) ?? createPromptCache({ caching, settings: promptCaching, isAnthropic, tokens, clock })
    if (caches.size >= KNOWN_MODELS) caches.clear()
    caches.set(key, cache)
    return cache
  }
}

export interface GatewaySummaries extends Pick<SummaryModel, 'line' | 'notices'> {
  readonly writer: string | undefined
  open(model: string, window: number): Promise<SummaryModel>
}

interface GatewaySummariesInput {
  readonly block: SummaryBlock
  readonly upstream: { readonly baseUrl: string; readonly apiKey: string | undefined }
  readonly own: ModelAccess | undefined
  readonly environment: NodeJS.ProcessEnv
}

/** The answering model is the request's, known only per conversation. */
const OF_REQUEST = ''

/** The model of `auxiliary.compression`, with the service's own key, never a client's. */
export async function gatewaySummaries(input: GatewaySummariesInput): Promise<GatewaySummaries> {
  const { block, upstream, own, environment } = input
  const { baseUrl, apiKey } = upstream
  const answering: ModelAccess | undefined =
    apiKey === undefined ? undefined : { provider: 'openai', model: OF_REQUEST, baseUrl, apiKey }
  const main = answering ?? (block.provider === 'main' ? undefined : own)
  const noMain = `${UPSTREAM_KEY} is not set, the key that the upstream's model would be asked with`
  const choice = chooseSummaryModel({ block, main, noMain, environment })
  const { access, notices } = choice
  if (access?.model !== OF_REQUEST) {
    const found = await openSummaryModel(choice, block)
    const line = found.line
      .replace('Summaries:', 'Summaries in the gateway:')
      .replace('(the model that answers)', "(the service's own model)")
    return { line, notices, writer: found.model?.name, open: async () => found }
  }
  const writer = `the model of each request, with the key of ${UPSTREAM_KEY}`
  return {
    line: `Summaries in the gateway: ${writer}`,
    notices,
    writer,
    open: (model, window) => {
      const named =
        model === OF_REQUEST ? undefined : { ...access, model, contextLength: access.contextLength ?? window }
      const { access: _, ...rest } = choice
      return openSummaryModel({ ...rest, ...(named && { access: named }) }, block)
    },
  }
}

/**
 * Refuses an upstream with which every request would fail.
 *
 * @param port The port on which the service will listen.
 */
export function checkUpstream(baseUrl: string, apiKey: string | undefined, port: number): void {
  const { username, password, hostname, port: target } = new URL(baseUrl)
  // `fetch` refuses such an address, and logs would show it.
  if (username !== '' || password !== '')
    throw new UsageError(
      `the upstream's address has a user or a password in it; set its key in ${UPSTREAM_KEY}`,
    )
  if (apiKey !== undefined && !/^[!-~]+$/.test(apiKey))
    throw new UsageError(
      `${UPSTREAM_KEY} has signs that no key has, such as a space or a line break; copy it again`,
    )
  if (isLoopback(hostname) && target === String(port))
    throw new UsageError(
      `the upstream ${baseUrl} is where this service itself will listen; choose another --port, or another upstream`,
    )
}
