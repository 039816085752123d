import { ENDPOINTS, type Endpoint } from './endpoints.ts'
import { makerOf } from './model-maker.ts'

export interface EndpointInput {
  readonly model: string
  readonly provider?: string
  readonly baseUrl?: string
  readonly route?: string
}

export interface FoundEndpoint {
  /** Null: a service that no rule knows. */
  readonly endpoint: Endpoint | null
  readonly title: string
  /** Whether requests have the shape of Anthropic's API. */
  readonly speaksAnthropic: boolean
}

/**
 * Where requests go: what the route says; else the address, which says more than the provider, since `openai` with
 * another address is the shape of the requests and not OpenAI; else the provider; else the model's maker.
 */
export function findEndpoint(input: EndpointInput): FoundEndpoint {
  const { provider, baseUrl, route } = input
  const url = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  const endpoint = byName(route) ?? whereSent(input, url?.hostname) ?? null
  const isNamed = [route, provider].some((name) => byName(name)?.key === 'anthropic')
  const isInPath = url?.pathname.split('/').includes('anthropic') === true
  return {
    endpoint,
    title: endpoint?.title ?? (url?.hostname || 'an unknown endpoint'),
    speaksAnthropic: isNamed || isInPath || endpoint?.key === 'anthropic',
  }
}

function whereSent({ model, provider, baseUrl, route }: EndpointInput, host: string | undefined) {
  const named = byName(provider)
  if (baseUrl !== undefined) {
    const hosted = host === undefined ? undefined : ENDPOINTS.find(({ hosts }) => hosts?.test(host))
    // Only a self-hosted service can be at an unknown address.
    return hosted ?? (named?.hosts === null ? named : undefined)
  }
  return route === undefined && provider === undefined ? byName(makerOf(model)) : named
}

function byName(name: string | undefined): Endpoint | undefined {
  const key = name?.toLowerCase()
  return key === undefined ? undefined : ENDPOINTS.find(({ names }) => names.includes(key))
}
