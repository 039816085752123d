import { type Clock, contextOverflow, createPause, errorText } from '@palimpsest/core'
import { answerStream, answerWhole } from '../answer/answer.ts'
import { createTurn, type GatewayTurn, type MarkCache } from '../answer/turn.ts'
import type { Conversations, Lease, LeaseInput } from '../conversations.ts'
import { type ChatRequest, readRefusal, type WireFormat } from '../formats/wire-format.ts'
import type { GatewayLimits } from '../gateway-defaults.ts'
import type { RunningCall, RunningCalls } from '../pool.ts'
import { digest, prefixOf } from '../recognition/prefix-hashes.ts'
import { GatewayFault, PassedOn } from './gateway-fault.ts'
import { parseBody, readBody } from './read-request.ts'
import {
  type Credentials,
  credentialsOf,
  type ModelWindows,
  requestHeaders,
  responseHeaders,
  type Upstream,
  type UpstreamRequest,
} from './upstream.ts'

/** The header that names the conversation, in requests and answers. */
export const SESSION_HEADER = 'x-palimpsest-session'
const WARNING_HEADER = 'x-palimpsest-warning'

const NAME = /^[\w.:-]{1,128}$/
const STORE_FAILED = 'the store of the gateway failed, so the messages were forwarded as they came'
const NO_ANSWER = 'the answer of the upstream is not one of this API, so it was passed on as it came'
/** Rounding step in tokens, so that clients that recompute their room do not change the window each time. */
const RESERVE_STEP = 1_024
const WARNING_LENGTH = 300

interface ChatParts {
  readonly format: WireFormat
  readonly upstream: Upstream
  readonly credentials: Credentials
  readonly conversations: Conversations
  readonly windows: ModelWindows
  readonly running: RunningCalls
  readonly limits: GatewayLimits
  readonly log: (line: string) => void
  readonly markCache: MarkCache
  readonly clock: Clock
}

export async function handleChat(raw: Request, parts: ChatParts): Promise<Response> {
  const { format, log, limits, markCache, clock } = parts
  // A list of 200,000 messages, or of 30 MB, takes long to read; others are served between the steps.
  const pause = createPause()
  const bytes = await readBody(raw, limits)
  await pause()
  const body = parseBody(bytes)
  await pause()
  const request = format.readRequest(body, raw.headers)
  await pause()
  const name = conversationName(raw.headers) ?? request.conversation
  const call = parts.running.begin(raw.signal)
  let isHandedOver = false
  try {
    const post = postTo(parts, raw, call.signal)
    if (request.unmanaged !== undefined) {
      const answer = await post(bytes)
      return passOn(answer, [request.unmanaged, ...(await unspoken(answer, format))])
    }
    const prefix = await prefixOf(request.messages)
    const lease = await enter(request, { name, prefix }, raw, call, parts)
    if (lease === undefined) return passOn(await withoutStore(await post(bytes)), [STORE_FAILED])
    const end = async () => {
      await lease.release()
      call.end()
    }
    try {
      const { rounds } = limits
      const { signal } = call
      const turn = createTurn({ format, request, prefix, lease, post, markCache, rounds, clock, log, signal })
      const answer = request.isStream ? answerStream({ turn, format, call, end, log }) : answerWhole(turn)
      const response = await answer.then(
        (begun) => {
          isHandedOver = request.isStream
          return begun
        },
        (error) => passedOn(error, parts),
      )
      return named(response, lease, turn)
    } finally {
      if (!isHandedOver) await lease.release()
    }
  } finally {
    if (!isHandedOver) call.end()
  }
}

/** Undefined if the store fails, which is no reason to refuse an answer. */
async function enter(
  request: ChatRequest,
  { name, prefix }: Pick<LeaseInput, 'name' | 'prefix'>,
  raw: Request,
  call: RunningCall,
  { format, conversations, credentials, windows, upstream, limits, log }: ChatParts,
): Promise<Lease | undefined> {
  const { model, answerTokens } = request
  const isMarked = request.isMarked || !request.takesMarks
  const ask = async () => {
    const headers = requestHeaders(raw.headers, credentials)
    const signal = AbortSignal.timeout(limits.modelList)
    return upstream.send('/models', { method: 'GET', headers, body: null, signal })
  }
  const window = await windows.find(model, ask, request.window)
  const wanted = Math.ceil(answerTokens / RESERVE_STEP) * RESERVE_STEP
  const reserve = Math.min(wanted, Math.floor(window / 2))
  const owner = digest(credentialsOf(raw.headers, credentials))
  try {
    const asked = { api: format.name, modelName: model || undefined, isMarked }
    const facts = { ...asked, contextLength: window, maxOutputTokens: reserve }
    return await conversations.enter({ owner, name, prefix, facts }, call)
  } catch (error) {
    call.signal.throwIfAborted()
    if (error instanceof GatewayFault) throw error
    log(`error: the context of a request is not managed: ${errorText(error)}`)
    return undefined
  }
}

async function withoutStore(response: Response): Promise<Response> {
  if (response.ok) return response
  const { status, headers } = response
  const refusal = await response.text()
  if (contextOverflow(readRefusal(refusal, status)) === undefined)
    return new Response(refusal, { status, headers })
  const message = 'the messages are too long, and the store fails that is needed to shorten them; try again'
  throw new GatewayFault(503, 'store_unavailable', message, { retryAfter: 5 })
}

function postTo({ format, upstream, credentials }: ChatParts, raw: Request, signal: AbortSignal) {
  const headers = requestHeaders(raw.headers, credentials)
  headers.set('content-type', 'application/json')
  const search = raw.url.includes('?') ? new URL(raw.url).search : ''
  return (body: UpstreamRequest['body'], own: Readonly<Record<string, string>> = {}) => {
    const all = new Headers(headers)
    for (const [name, value] of Object.entries(own)) all.set(name, value)
    return upstream.send(format.path, { headers: all, body, search, signal })
  }
}

function conversationName(headers: Headers): string | undefined {
  const name = headers.get(SESSION_HEADER) ?? undefined
  if (name === undefined || NAME.test(name)) return name
  const message = `the header ${SESSION_HEADER} takes up to 128 letters, digits and signs of . _ : -`
  throw new GatewayFault(400, 'invalid_session', message, { param: SESSION_HEADER })
}

function passOn(response: Response, warnings: readonly string[]): Response {
  const { status, body } = response
  return withWarnings(new Response(body, { status, headers: responseHeaders(response.headers) }), warnings)
}

async function passedOn(error: unknown, { format, log }: ChatParts): Promise<Response> {
  if (!(error instanceof PassedOn)) throw error
  const { response } = error
  if (!response.ok) return passOn(response, await unspoken(response, format))
  log(`warning: ${NO_ANSWER}`)
  return passOn(response, [NO_ANSWER])
}

/** Statuses for an unknown path; some servers use them for an unknown model. */
const NO_PATH: ReadonlySet<number> = new Set([404, 405, 501])

async function unspoken(response: Response, { path }: WireFormat): Promise<string[]> {
  if (!NO_PATH.has(response.status) || /model/i.test(await response.clone().text())) return []
  const seems = `the upstream answered ${response.status} to ${path}, so it seems not to speak this API`
  return [`${seems}, and nothing is translated; serve.upstream.formats names another upstream for it`]
}

function named(response: Response, lease: Lease, { warnings }: GatewayTurn): Response {
  response.headers.set(SESSION_HEADER, lease.known.name)
  return withWarnings(response, [...lease.warnings, ...warnings])
}

function withWarnings(response: Response, warnings: readonly string[]): Response {
  const earlier = response.headers.get(WARNING_HEADER)
  const text = [...(earlier === null ? [] : [earlier]), ...warnings]
    .join('; ')
    .replaceAll(/[^ -~]+/g, ' ')
    .slice(0, WARNING_LENGTH)
  if (text !== '') response.headers.set(WARNING_HEADER, text)
  return response
}
