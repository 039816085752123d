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
  QWEN,
} from './caching-rules.ts'

/** `prompt_caching.cache_ttl` of a configuration. */
export type CacheSetting = '5m' | '1h' | 'off'

export interface FindCachingInput {
  readonly model: string
  /** The provider, such as `anthropic` or `openrouter`. Default: the model's maker. */
  readonly provider?: string
  /** Address of the API. Tells more than `provider`. */
  readonly baseUrl?: string
  /** As for `findPricing`. */
  readonly route?: string
  /** Default `5m`: the short lifetime of the endpoint. `1h`: the long one, where there is one. */
  readonly setting?: CacheSetting
  /** Whether the endpoint takes markers, for one that the table does not know or is wrong about. */
  readonly enabled?: boolean
}

export interface Caching {
  /** `markers`: requests need breakpoints. `automatic`: nothing is to be done. `none`: there is no caching. */
  readonly kind: 'markers' | 'automatic' | 'none'
  readonly wire: CachingWire
  /** For `markers`: what they may say. */
  readonly ttl: CacheTtl | null
  /** True when the lifetime that was set is not known there, and the short one is taken. */
  readonly isClamped: boolean
  /** The setting that does nothing there, because the provider caches by itself. Null: none. */
  readonly ignored: 'off' | '1h' | null
  /** Null when there are no prices for the model. */
  readonly pricing: CachePricing | null
  /** For `none`: why, as one clause for people. */
  readonly reason: string | null
  readonly model: string
  /** The endpoint's name for people. */
  readonly endpoint: string
}

/**
 * Whether and how prompts of a model are cached where it is served. Decided by `setting: 'off'` first, then by
 * `enabled`, then by the table. A provider that caches by itself is never marked, and cannot be switched off.
 */
export function findCaching({ setting = '5m', enabled, ...where }: FindCachingInput): Caching {
  const found = findEndpoint(where)
  const named = { model: where.model, endpoint: found.title, isClamped: false, ignored: null, reason: null }
  const none = { ...named, kind: 'none', wire: 'none', ttl: null, pricing: null } as const

  const fitting = CACHING_RULES.find((rule) => fits(rule, where, found))
  const isKnown = fitting !== undefined && fitting.wire !== 'none'
  if (!isKnown && enabled === undefined && setting !== 'off')
    return { ...none, reason: fitting?.reason ?? 'it is not known whether this model is cached there' }
  const rule = isKnown ? fitting : setByUser(where.model, found)

  const { wire } = rule
  const route = rule.pricingRoute ?? found.endpoint?.key ?? where.route
  const pricing = knownPricing(where.model, route === undefined ? {} : { route }) ?? null
  if (wire === 'automatic') {
    const ignored = setting === '5m' ? null : setting
    return { ...named, kind: 'automatic', wire: 'none', ttl: null, ignored, pricing }
  }
  if (setting === 'off') return { ...none, reason: 'switched off by prompt_caching.cache_ttl' }
  if (enabled === false) return { ...none, reason: 'switched off for this endpoint' }
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

function setByUser(model: string, { endpoint, speaksAnthropic }: FoundEndpoint): CachingRule {
  const gateway = endpoint?.key === 'litellm' ? 'litellm' : 'openrouter'
  return {
    models: /^/,
    wire: speaksAnthropic ? 'anthropic' : gateway,
    pricingRoute: matches(model, QWEN) ? 'qwen-explicit' : gateway,
  }
}

/** Without a pricing the lifetimes are those of Anthropic's markers, which the others took over. */
function chooseTtl(setting: '5m' | '1h', pricing: CachePricing | null, { isShortOnly }: CachingRule) {
  const short = pricing?.short.ttl ?? '5m'
  const long = isShortOnly ? undefined : pricing === null ? '1h' : pricing.long?.ttl
  if (setting === '5m') return { ttl: short, isClamped: false }
  return { ttl: long ?? short, isClamped: long === undefined }
}

type EndpointInput = Omit<FindCachingInput, 'setting' | 'enabled'>

interface FoundEndpoint {
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
    // Only a self-hosted service can be at an unknown address.
    return hosted ?? (named?.hosts === null ? named : undefined)
  }
  return route === undefined && provider === undefined ? byName(makerOf(model)) : named
}

function byName(name: string | undefined): Endpoint | undefined {
  const key = name?.toLowerCase()
  return key === undefined ? undefined : ENDPOINTS.find(({ names }) => names.includes(key))
}

/** Longest name that is shown, in characters. */
const MAX_SHOWN = 80

const LIFETIMES: Readonly<Record<CacheTtl, string>> = {
  '5m': '5 minutes',
  '30m': '30 minutes',
  '1h': '1 hour',
}

/** By the setting that is ignored. */
const AUTOMATIC: Readonly<Record<'off' | '1h' | 'none', string>> = {
  off: 'prompt_caching.cache_ttl: off cannot switch that off',
  '1h': 'nothing to mark, prompt_caching.cache_ttl: 1h has no effect',
  none: 'nothing to mark',
}

/** One line for the start of a chat or service: whether prompts are cached, for what, and for how long. */
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

/** Names come from configurations: they are shown on one line, without terminal control characters. */
function shown(name: string): string {
  const line = name.slice(0, MAX_SHOWN + 1).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
  return line.length <= MAX_SHOWN ? line : `${line.slice(0, MAX_SHOWN)}…`
}
