import { type CacheAnchor, type CacheTtl, InvalidOptionError } from '@palimpsest/core'
import { type GeminiConfig, type GeminiContent, type GeminiRequest, partsOf } from './gemini-request.ts'

type ConfigOf<Request extends GeminiRequest> = NonNullable<Request['config']>
type Cached = 'systemInstruction' | 'tools' | 'toolConfig'

/** Parameters of `caches.create`. */
export interface GeminiCacheCreation<Request extends GeminiRequest = GeminiRequest> {
  readonly model: string
  readonly config: Pick<ConfigOf<Request>, Cached & keyof ConfigOf<Request>> & {
    /** Absent when only tools and system prompt are cached. */
    contents?: Request['contents']
    /** Seconds, as Gemini writes them: `300s`. */
    ttl: string
    displayName?: string
  }
}

/** The rest of a request whose beginning is in a cache. */
export interface GeminiCachedRequest<Request extends GeminiRequest = GeminiRequest> {
  readonly model: string
  readonly contents: Request['contents']
  readonly config: Omit<ConfigOf<Request>, Cached> & { cachedContent?: string }
}

export interface GeminiSplit<Request extends GeminiRequest = GeminiRequest> {
  readonly create: GeminiCacheCreation<Request>
  /** Not to be sent as it is: without the name of the cache it lacks its beginning. */
  readonly rest: GeminiCachedRequest<Request>
  /** The rest with the `name` that `caches.create` answered. */
  withCache(name: string): GeminiCachedRequest<Request>
}

const SECONDS: Readonly<Record<CacheTtl, string>> = {
  '5m': '300s',
  '30m': '1800s',
  '1h': '3600s',
  '12h': '43200s',
}

/**
 * Divides a request for explicit caching: tools, system prompt and the contents up to the anchor's go into the cache,
 * the others are sent with its name. The last content is always left, because the API refuses a request without any;
 * a function call that is answered behind the anchor stays with its response. An anchor on a tool or on the system
 * prompt caches no contents. Contents are shared: thought signatures stay byte for byte.
 *
 * @param options `displayName` of the cache. Default none.
 * @throws InvalidOptionError when the request uses a cache already.
 */
export function splitForCache<Request extends GeminiRequest>(
  request: Request,
  anchor: Pick<CacheAnchor, 'ref' | 'ttl'>,
  options: { readonly displayName?: string } = {},
): GeminiSplit<Request> {
  const { model, contents } = request
  const config: GeminiConfig = request.config ?? {}
  if (config.cachedContent !== undefined)
    throw new InvalidOptionError(
      'config.cachedContent',
      'The request uses a cache already: take config.cachedContent out and pass all contents.',
    )
  const { systemInstruction, tools, toolConfig, ...others } = config
  const cut = anchor.ref.at === 'message' ? findCut(contents, anchor.ref.index + 1) : 0
  const rest = { model, contents: contents.slice(cut), config: others }
  const create = {
    model,
    config: {
      ...(cut > 0 && { contents: contents.slice(0, cut) }),
      ...(systemInstruction !== undefined && { systemInstruction }),
      ...(tools !== undefined && { tools }),
      ...(toolConfig !== undefined && { toolConfig }),
      ttl: SECONDS[anchor.ttl],
      ...(options.displayName !== undefined && { displayName: options.displayName }),
    },
  }
  const split = {
    create,
    rest,
    withCache: (name: string) => ({ ...rest, config: { ...others, cachedContent: name } }),
  }
  // Parts of a request keep the types that they have in it.
  return split as unknown as GeminiSplit<Request>
}

/** The last place up to `wanted` where no function call waits for its response and something is left to send. */
function findCut(contents: readonly GeminiContent[], wanted: number): number {
  const last = Math.min(wanted, contents.length - 1)
  const open = new Map<string, number>()
  let cut = 0
  for (const [index, content] of contents.slice(0, Math.max(last, 0)).entries()) {
    for (const { functionCall, functionResponse } of partsOf(content)) {
      if (functionCall) add(open, functionCall.id ?? functionCall.name ?? '', 1)
      if (functionResponse) add(open, functionResponse.id ?? functionResponse.name ?? '', -1)
    }
    if (open.size === 0) cut = index + 1
  }
  return cut
}

/** Counts what is open; a response that nothing waits for changes nothing. */
function add(open: Map<string, number>, key: string, by: number): void {
  const count = Math.max((open.get(key) ?? 0) + by, 0)
  if (count === 0) open.delete(key)
  else open.set(key, count)
}
