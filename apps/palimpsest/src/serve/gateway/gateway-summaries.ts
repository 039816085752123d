import type { Config } from '@palimpsest/core/discovery'
import { isLoopback } from '@palimpsest/gateway'
import { findCaching } from '@palimpsest/prompt-caching'
import { chooseSummaryModel } from '../../models/choose-summary-model.ts'
import { openSummaryModel, type SummaryModel } from '../../models/find-summary-model.ts'
import type { ModelAccess } from '../../models/model-access.ts'
import type { SummaryBlock } from '../../models/summary-key.ts'
import { routeOf } from '../../prompt-cache.ts'
import { UsageError } from '../../usage-error.ts'

export interface GatewaySummaries extends Pick<SummaryModel, 'line' | 'notices'> {
  /** For a conversation with a model of the upstream, whose window is given in tokens. */
  open(model: string, window: number): Promise<SummaryModel>
}

export interface GatewaySummariesInput {
  readonly block: SummaryBlock
  /** Without an address there is no gateway. */
  readonly upstream: { readonly baseUrl: string | undefined; readonly apiKey: string | undefined }
  /** The model that answers the service's own queries. */
  readonly own: ModelAccess | undefined
  readonly environment: NodeJS.ProcessEnv
}

/** The model that answers is the request's, known with each conversation only. */
const OF_REQUEST = ''

/**
 * The setting `auxiliary.compression`, where the model that answers is the upstream's, asked with the service's own
 * key and never with a client's. Without that key it is the model of the service's own queries, if there is one.
 *
 * @throws UsageError for a block that contradicts itself, or a model that cannot be used.
 */
export async function gatewaySummaries(input: GatewaySummariesInput): Promise<GatewaySummaries | undefined> {
  const { block, upstream, own, environment } = input
  const { baseUrl, apiKey } = upstream
  if (baseUrl === undefined) return undefined
  const answering: ModelAccess | undefined =
    apiKey === undefined ? undefined : { provider: 'openai', model: OF_REQUEST, baseUrl, apiKey }
  const main = answering ?? (block.provider === 'main' ? undefined : own)
  const noMain = `${UPSTREAM_KEY} is not set, the key that the upstream's model would be asked with`
  const choice = chooseSummaryModel({ block, main, noMain, environment })
  const { access, notices } = choice
  if (access?.model !== OF_REQUEST) {
    const found = await openSummaryModel(choice, block)
    return { line: inGateway(found.line), notices, open: async () => found }
  }
  return {
    line: `Summaries in the gateway: the model of each request, with the key of ${UPSTREAM_KEY}`,
    notices,
    open: (model, window) => {
      const named =
        model === OF_REQUEST ? undefined : { ...access, model, contextLength: access.contextLength ?? window }
      const { access: _, ...rest } = choice
      return openSummaryModel({ ...rest, ...(named && { access: named }) }, block)
    },
  }
}

function inGateway(line: string): string {
  return line.replace('Summaries:', 'Summaries in the gateway:')
}

/** A model of each family that is cached at breakpoints and reached through gateways. */
const FAMILIES = { Claude: 'claude-sonnet-5-5', Kimi: 'kimi-k2', Qwen: 'qwen3-max' } as const

/** The line about breakpoints that the gateway sets for its clients. */
export function gatewayCachingLine(
  baseUrl: string,
  { prompt_caching }: Pick<Config, 'prompt_caching'>,
): string {
  const { cache_ttl: setting, strategy } = prompt_caching
  const at = { provider: 'openai', baseUrl, ...routeOf(baseUrl, prompt_caching) }
  const found = Object.entries(FAMILIES).map(([family, model]) => ({
    family,
    ...findCaching({ ...at, model, setting: setting === 'off' ? '5m' : setting }),
  }))
  const marked = found.filter(({ wire }) => wire === 'openrouter' || wire === 'litellm')
  const place = found[0]?.endpoint
  const begin = 'Prompt caching in the gateway:'
  if (marked.length === 0)
    return `${begin} no breakpoints are added at ${place}; those of clients are passed on`
  if (setting === 'off')
    return `${begin} off (switched off by prompt_caching.cache_ttl); breakpoints of clients are passed on`
  const families = marked.map(({ family }) => family).join(' and ')
  return `${begin} ${strategy} for ${families} at ${place}, where a client sets no breakpoints itself`
}

/** The variable with the key for the upstream: a file or a command line is no place for it. */
export const UPSTREAM_KEY = 'PALIMPSEST_UPSTREAM_KEY'

/**
 * Refuses an upstream that every request would fail at.
 *
 * @param port where the service is going to listen.
 * @throws UsageError
 */
export function checkUpstream(baseUrl: string, apiKey: string | undefined, port: number): void {
  const { username, password, hostname, port: target } = new URL(baseUrl)
  // No request can be made of such an address, and logs would show it.
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
