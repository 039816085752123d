import { chooseSummaryModel } from '../../models/choose-summary-model.ts'
import { openSummaryModel, type SummaryModel } from '../../models/find-summary-model.ts'
import type { ModelAccess } from '../../models/model-access.ts'
import type { SummaryBlock } from '../../models/summary-key.ts'
import { UPSTREAM_KEY } from './check-upstream.ts'

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
