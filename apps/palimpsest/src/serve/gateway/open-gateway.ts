import { createGateway, type Gateway } from '@palimpsest/gateway'
import type { StorePlace } from '../../stores/store-place.ts'
import { UsageError } from '../../usage-error.ts'
import type { CheckedStore } from '../health/watch-stores.ts'
import type { ServiceModels } from '../models/service-models.ts'
import type { ServeOptions } from '../serve-options.ts'
import { openIndex } from './conversation-index/open-index.ts'
import { type GatewaySessionsInput, gatewaySessions } from './gateway-sessions.ts'
import { checkUpstream, type GatewaySummaries, UPSTREAM_KEY } from './gateway-summaries.ts'

export interface OpenGatewayInput
  extends Omit<GatewaySessionsInput, 'baseUrl' | 'formats' | 'readers' | 'summaries'> {
  /** Where to forward to: `--upstream`, else the configuration's; no gateway without one. */
  readonly baseUrl: string | undefined
  readonly options: ServeOptions['upstream']
  readonly apiKey: string | undefined
  /** Where the service is going to listen. */
  readonly port: number
  /**
   * The service's store: what conversations are recognised by is kept beside it. In a database it is that of all workers
   * there. Undefined: in memory.
   */
  readonly place: StorePlace | undefined
  readonly principal: string
  readonly models: ServiceModels
  readonly summaries: GatewaySummaries | undefined
  readonly window: number
  readonly hasToken: boolean
  /** The time that a request may take to arrive, in milliseconds. */
  readonly upload: number
  readonly log: (line: string) => void
}

export interface OpenedGateway {
  /** Undefined when there is none. */
  readonly gateway?: Gateway
  /** Files of its own. */
  readonly stores: readonly CheckedStore[]
}

/**
 * The gateway that the configuration asks for.
 *
 * @throws UsageError for an upstream that cannot be used; when clients have to send the service's token, and there is no
 * key for the upstream; and when the index cannot be used.
 */
export async function openGateway(input: OpenGatewayInput): Promise<OpenedGateway> {
  const {
    baseUrl,
    options,
    apiKey,
    port,
    place,
    principal,
    models,
    summaries,
    hasToken,
    window,
    upload,
    log,
    ...parts
  } = input
  if (baseUrl === undefined || summaries === undefined) return { stores: [] }
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
  const { answer: _, compaction: __, ...readers } = models
  const { checked, ...shared } = await openIndex(place, { principal, log })
  const gateway = createGateway({
    ...gatewaySessions({
      ...parts,
      baseUrl,
      formats,
      readers,
      summaries: summaries.open,
    }),
    ...shared,
    upstream: { baseUrl, formats, ...(apiKey !== undefined && { apiKey }) },
    ...{ window, windows, hasToken, limits: { upload }, clock: parts.clock, log },
  })
  return { gateway, stores: checked === undefined ? [] : [checked] }
}
