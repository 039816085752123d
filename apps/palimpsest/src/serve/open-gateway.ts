import type { Clock, TokenCounter } from '@palimpsest/core'
import { createGateway, type Gateway } from '../gateway/create-gateway.ts'
import { openIndex } from '../gateway/recognition/open-index.ts'
import type { ViewHub } from '../page/view-hub.ts'
import type { StorePlace } from '../stores/store-place.ts'
import { UsageError } from '../usage-error.ts'
import { checkUpstream, UPSTREAM_KEY } from './check-upstream.ts'
import type { ServiceModels } from './models/service-models.ts'
import type { UpstreamOptions } from './serve-options.ts'
import type { ServiceEngine } from './service-engine.ts'

export interface OpenGatewayInput {
  /** Where to forward to: `--upstream`, else the configuration's; no gateway without one. */
  readonly baseUrl: string | undefined
  readonly options: UpstreamOptions
  readonly apiKey: string | undefined
  /** Where the service is going to listen. */
  readonly port: number
  /**
   * The service's store: what conversations are recognised by is kept beside it. In a database it is that of all workers
   * there. Undefined: in memory.
   */
  readonly place: StorePlace | undefined
  /** Whose conversations they are, in a database. */
  readonly principal: string
  readonly engine: ServiceEngine
  readonly models: ServiceModels
  readonly window: number
  readonly hub: ViewHub
  readonly hasToken: boolean
  readonly tokens: TokenCounter
  readonly clock: Clock
  readonly log: (line: string) => void
}

/**
 * The gateway that the configuration asks for.
 *
 * @throws UsageError for an upstream that cannot be used; when clients have to send the service's token, and there is no
 * key for the upstream; when a model is to write summaries that there is no key for; and when the index cannot be used.
 */
export async function openGateway(input: OpenGatewayInput): Promise<Gateway | undefined> {
  const { baseUrl, options, apiKey, port, place, principal, models, hasToken, ...parts } = input
  if (baseUrl === undefined) return undefined
  checkUpstream(baseUrl, apiKey, port)
  if (hasToken && apiKey === undefined)
    throw new UsageError(
      `with a token, clients send that in the place of the upstream's key: set the key in ${UPSTREAM_KEY}`,
    )
  const { answer: _, ...own } = models
  const compaction = await summarizer(baseUrl, options.summaryModel, apiKey)
  return createGateway({
    ...parts,
    upstream: { baseUrl, ...(apiKey !== undefined && { apiKey }) },
    models: { ...own, ...(compaction && { compaction }) },
    windows: options.windows,
    ...(await openIndex(place, { principal, log: parts.log })),
    hasToken,
  })
}

/** A model of the upstream; it is asked with the service's own key, never with a client's. */
async function summarizer(baseUrl: string, model: string | undefined, apiKey: string | undefined) {
  if (model === undefined) return undefined
  if (apiKey === undefined)
    throw new UsageError(`serve.upstream.summary_model needs a key: set it in ${UPSTREAM_KEY}`)
  const { createOpenAiCompletion } = await import('@palimpsest/openai')
  return createOpenAiCompletion({ model, baseUrl, apiKey })
}
