import type { CacheTtl } from '@palimpsest/core'
import type { CachePricing } from '../pricing/cache-pricing.ts'
import { knownPricing } from '../pricing/find-pricing.ts'
import {
  CACHING_RULES,
  type CachingRule,
  type CachingWire,
  ENDPOINTS,
  type Endpoint,
  makerOf,
  matches,
} from './caching-rules.ts'

/** The values of `prompt_caching.cache_ttl`. */
export type CacheSetting = '5m' | '1h' | 'off'

export interface FindCachingInput {
  readonly model: string
  /** The provider, such as `anthropic` or `openrouter`. Default: the model's maker. */
  readonly provider?: string
  /** Address of the API. Takes precedence over `provider`. */
  readonly baseUrl?: string
  /** The route, as for `findPricing`. */
  readonly route?: string
  /** `5m`: the endpoint's short lifetime. `1h`: the long one, if there is one. Default `5m`. */
  readonly setting?: CacheSetting
}

export interface Caching {
  /** `markers`: requests need breakpoints. `automatic`: the provider caches without them. `none`: no caching. */
  readonly kind: 'markers' | 'automatic' | 'none'
  readonly wire: CachingWire
  /** The TTL of breakpoints, for `markers`. */
  readonly ttl: CacheTtl | null
  /** True if the configured lifetime is unknown there and the short one is used. */
  readonly isClamped: boolean
  /** The setting without effect on a provider that caches automatically; null if none. */
  readonly ignored: 'off' | '1h' | null
  /** Null if the model's prices are unknown. */
  readonly pricing: CachePricing | null
  /** The reason for `none`, as a clause for people. */
  readonly reason: string | null
  readonly model: string
  readonly endpoint: string
}

/**
 * Decides how prompts of a model are cached at its endpoint. A provider that caches automatically gets no markers, and
 * its cache cannot be disabled.
 */
export function findCaching({ setting = '5m', ...where }: FindCachingInput): Caching {
  const found = findEndpoint(where)
  const named = { model: where.model, endpoint: found.title, isClamped: false, ignored: null, reason: null }
  const none = { ...named, kind: 'none', wire: 'none', ttl: null, pricing: null } as const

  const rule = CACHING_RULES.find((one) => fits(one, where, found))
  if (setting === 'off' && rule?.wire !== 'automatic')
    return { ...none, reason: 'switched off by prompt_caching.cache_ttl' }
  if (rule === undefined || rule.wire === 'none')
    return { ...none, reason: rule?.reason ?? 'it is not known whether this model is cached there' }
  const { wire } = rule
  const route = rule.pricingRoute ?? found.endpoint?.key ?? where.route
  const pricing = knownPricing(where.model, route === undefined ? {} : { route }) ?? null
  if (wire === 'automatic') {
    const ignored = setting === '5m' ? null : setting
    return { ...named, kind: 'automatic', wire: 'none', ttl: null, ignored, pricing }
  }
  return { ...named, kind: 'markers', wire, ...chooseTtl(setting, pricing, rule), pricing }
}

function fits(
  { models, endpoints, speaksAnthropic }: CachingRule,
  { model }: FindCachingInput,
  found: FoundEndpoint,
): boolean {
  return (
    matches(model, models) &&
    (endpoints === undefined || (found.endpoint !== null && endpoints.includes(found.endpoint.key))) &&
    (speaksAnthropic === undefined || found.speaksAnthropic)
  )
}

function chooseTtl(setting: CacheSetting, pricing: CachePricing | null, { isShortOnly }: CachingRule) {
  const short = pricing?.short.ttl ?? '5m'
  const long = isShortOnly ? undefined : pricing === null ? '1h' : pricing.long?.ttl
  if (setting === '5m') return { ttl: short, isClamped: false }
  return { ttl: long ?? short, isClamped: long === undefined }
}

type EndpointInput = Omit<FindCachingInput, 'setting'>

interface FoundEndpoint {
  readonly endpoint: Endpoint | null
  readonly title: string
  readonly speaksAnthropic: boolean
}

/**
 * The order is: the route; the address, because `openai` with another address is only the shape of requests; the
 * provider; the model's maker.
 */
function findEndpoint(input: EndpointInput): FoundEndpoint {
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
    return hosted ?? (named?.hosts === null ? named : undefined)
  }
  return route === undefined && provider === undefined ? byName(makerOf(model)) : named
}

function byName(name: string | undefined): Endpoint | undefined {
  const key = name?.toLowerCase()
  return key === undefined ? undefined : ENDPOINTS.find(({ names }) => names.includes(key))
}

const MAX_SHOWN = 80

const LIFETIMES: Readonly<Record<CacheTtl, string>> = {
  '5m': '5 minutes',
  '30m': '30 minutes',
  '1h': '1 hour',
}

const AUTOMATIC: Readonly<Record<'off' | '1h' | 'none', string>> = {
  off: 'prompt_caching.cache_ttl: off cannot switch that off',
  '1h': 'nothing to mark, prompt_caching.cache_ttl: 1h has no effect',
  none: 'nothing to mark',
}

/** One line for the start of a chat or service: whether, for which model, and for how long prompts are cached. */
export function cachingStatusLine({
  kind,
  model,
  endpoint,
  ttl,
  isClamped,
  ignored,
  reason,
}: Caching): string {
  if (kind === 'none') return `Prompt caching: off (${reason})`
  const place = `${shown(model)} at ${shown(endpoint)}`
  if (kind === 'automatic') return `Prompt caching: automatic for ${place}; ${AUTOMATIC[ignored ?? 'none']}`
  const clamped = isClamped ? ' (longer is not known there)' : ''
  return `Prompt caching: on for ${place}, ${LIFETIMES[ttl ?? '5m']}${clamped}`
}

function shown(name: string): string {
  const line = name.slice(0, MAX_SHOWN + 1).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
  return line.length <= MAX_SHOWN ? line : `${line.slice(0, MAX_SHOWN)}…`
}
