import { type Clock, errorText, redactSecrets } from '@palimpsest/core'
import type { MarkCache } from './answer/turn.ts'
import { createConversations, type OpenSession } from './conversations.ts'
import { createAnthropicMessages } from './formats/anthropic-messages/anthropic-messages.ts'
import { createOpenAIChat } from './formats/openai-chat.ts'
import { createOpenAIResponses } from './formats/openai-responses/openai-responses.ts'
import type { WireFormat } from './formats/wire-format.ts'
import { GATEWAY_DEFAULTS, type GatewayLimits } from './gateway-defaults.ts'
import {
  type GatewayFault,
  goneFault,
  shutdownFault,
  toGatewayFault,
  uploadFault,
} from './http/gateway-fault.ts'
import { handleChat } from './http/handle-chat.ts'
import { assertNotSimple, assertOwnPage, pathBelow } from './http/read-request.ts'
import {
  type Credentials,
  createModelWindows,
  createUpstream,
  requestHeaders,
  responseHeaders,
  type Upstream,
} from './http/upstream.ts'
import { parseJson } from './parse-json.ts'
import { createLocalLocks, createRunningCalls, type RunningCalls, type SessionLocks } from './pool.ts'
import { type ConversationIndex, createMemoryIndex } from './recognition/conversation-index.ts'

export interface GatewayOptions {
  readonly upstream: {
    /** The base URL of a server with one of the formats; usually ends in `/v1`. */
    readonly baseUrl: string
    /** Base URLs of formats at other addresses, by name, such as `anthropic-messages`. Default: none. */
    readonly formats?: Readonly<Record<string, string | undefined>>
    /** Sent only to `baseUrl`, instead of the clients' keys. Default: the clients' own. */
    readonly apiKey?: string
  }
  /** Opens the session of a conversation, with its own engine. The gateway ends it. */
  readonly open: OpenSession
  /** The window of unknown models, in tokens. */
  readonly window: number
  /** Largest window to use, in tokens, even if the model's is larger. Default: no limit. */
  readonly maxWindow?: number
  /** Windows by model name, in tokens; they override the upstream's. Default: none. */
  readonly windows?: Readonly<Record<string, number>>
  /** Writes a session's planned cache breakpoints. Default: they are not sent. */
  readonly markCache?: MarkCache
  /** The index that recognises conversations; the gateway closes it. Default: in memory. */
  readonly index?: ConversationIndex
  /** Locks between workers; the gateway closes them. Default: this process is the only one. */
  readonly locks?: SessionLocks
  /**
   * True if clients authenticate with the host's own token, which is never forwarded; all clients then share
   * conversations. Default false.
   */
  readonly hasToken?: boolean
  /**
   * All requests are of one user, even if their credentials change, as with a renewed login. Default: conversations of
   * different credentials are apart.
   */
  readonly oneUser?: boolean
  /** Receives one line per failure, without secrets. Default: `console.warn`. */
  readonly log?: (line: string) => void
  /** Default: the system clock. */
  readonly clock?: Clock
  /** Overrides for `GATEWAY_DEFAULTS`. */
  readonly limits?: Partial<GatewayLimits>
}

/** A chat API before an upstream that manages each conversation's context. */
export interface Gateway {
  /** Answers requests to `/v1/…`. Never rejects. Unmanaged requests are forwarded unchanged. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Number of conversations in memory. */
  readonly loaded: number
  /** Number of requests that wait for others of their conversation. */
  readonly waiting: number
  /** Lets running answers finish within a limit in milliseconds (default 10,000), and ends all conversations. */
  close(limit?: number): Promise<void>
}

const SWEEP_INTERVAL = 60_000
const CLOSE_LIMIT = 10_000
const PREFIX = '/v1'

/** Creates a gateway between clients of a chat API and the server that answers them. */
export function createGateway(options: GatewayOptions): Gateway {
  const { upstream: to, open, hasToken = false, oneUser = false, clock = { now: Date.now } } = options
  const { markCache = (_, messages) => messages, locks = createLocalLocks() } = options
  const limits = { ...GATEWAY_DEFAULTS, ...options.limits }
  const { index = createMemoryIndex(limits.remembered) } = options
  const log = redactedLog(options.log ?? console.warn)
  const chatFormat = createOpenAIChat()
  const formats: readonly WireFormat[] = [chatFormat, createAnthropicMessages(), createOpenAIResponses()]
  const running = createRunningCalls(shutdownFault, goneFault)
  const { window, maxWindow, windows: known = {} } = options
  const conversations = createConversations({ index, locks, open, clock, log, limits })
  const chat = { conversations, running, limits, markCache, clock, log }
  const serverAt = (baseUrl: string, apiKey?: string) => {
    const credentials = { apiKey, hasToken, oneUser }
    const upstream = createUpstream(baseUrl, limits.idle)
    const windows = createModelWindows({ window, maxWindow, windows: known, age: limits.modelListAge, clock })
    return { upstream, credentials, windows }
  }
  const main = serverAt(to.baseUrl, to.apiKey)
  const others = new Map(
    Object.entries(to.formats ?? {}).flatMap(([name, url]) => (url ? [[name, serverAt(url)] as const] : [])),
  )

  const route = async (request: Request): Promise<Response> => {
    const { normal, plain } = pathBelow(PREFIX, request)
    if (!hasToken) assertOwnPage(request)
    const format = formats.find((one) => plain === one.path || plain.startsWith(`${one.path}/`))
    const server = others.get(format?.name ?? '') ?? main
    if (request.method === 'POST' && plain === format?.path) {
      await conversations.unloadIdle()
      return handleChat(request, { ...chat, ...server, format })
    }
    assertNotSimple(request)
    const response = await forward(request, normal, { ...server, running, limits })
    if (request.method !== 'GET' || plain !== '/models') return response
    const text = await response.text()
    if (response.ok) server.windows.read(parseJson(text))
    return new Response(text, response)
  }

  const sweep = setInterval(() => {
    conversations.unloadIdle().catch((error) => log(`error: ${errorText(error)}`))
  }, SWEEP_INTERVAL)
  sweep.unref()

  const shutDown = async (limit: number): Promise<void> => {
    clearInterval(sweep)
    await running.drain(limit)
    await conversations.close()
    await Promise.all([index.close(), locks.close()])
  }
  let closing: Promise<void> | undefined
  return {
    async fetch(request) {
      try {
        return await route(request)
      } catch (error) {
        const fault = toGatewayFault(error)
        if (fault.status === 500) log(`error: ${errorText(fault.cause)}`)
        return faultResponse(fault, formatOf(request, formats) ?? chatFormat)
      }
    },
    get loaded() {
      return conversations.loaded
    },
    get waiting() {
      return conversations.waiting
    },
    close(limit = CLOSE_LIMIT) {
      closing ??= shutDown(limit)
      return closing
    },
  }
}

function redactedLog(log: (line: string) => void): (line: string) => void {
  return (line) => log(redactSecrets(line).replaceAll(/\s+/g, ' '))
}

function formatOf({ url }: Request, formats: readonly WireFormat[]): WireFormat | undefined {
  const { pathname } = new URL(url)
  return formats.find(({ path }) => pathname.startsWith(`${PREFIX}${path}`))
}

function faultResponse(fault: GatewayFault, format: WireFormat): Response {
  const { status, retryAfter } = fault
  const headers = new Headers({ 'content-type': 'application/json' })
  if (retryAfter !== undefined) headers.set('retry-after', String(retryAfter))
  return new Response(format.writeFault(fault), { status, headers })
}

/** Headers for reading a body. Its length avoids chunked sending, which not every server supports. */
const BODY_HEADERS = ['content-type', 'content-length', 'content-encoding']

interface ForwardInput {
  readonly upstream: Upstream
  readonly credentials: Credentials
  readonly running: RunningCalls
  readonly limits: Pick<GatewayLimits, 'upload'>
}

async function forward(
  raw: Request,
  path: string,
  { upstream, credentials, running, limits: { upload } }: ForwardInput,
): Promise<Response> {
  const { signal, stop, end } = running.begin(raw.signal)
  const timer = setTimeout(() => stop(uploadFault(upload)), upload)
  const isThrough = () => clearTimeout(timer)
  signal.addEventListener('abort', end, { once: true })
  try {
    const headers = requestHeaders(raw.headers, credentials)
    for (const name of BODY_HEADERS) {
      const value = raw.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    const { method } = raw
    const body = raw.body?.pipeThrough(new TransformStream({ flush: isThrough })) ?? null
    const { search } = new URL(raw.url)
    const answer = await upstream.send(path, { method, headers, body, search, signal })
    isThrough()
    if (answer.body === null) end()
    const untilEnd = new TransformStream<Uint8Array, Uint8Array>({ flush: end, cancel: end })
    const { status } = answer
    return new Response(answer.body?.pipeThrough(untilEnd) ?? null, {
      status,
      headers: responseHeaders(answer.headers),
    })
  } catch (error) {
    isThrough()
    end()
    throw error
  }
}
