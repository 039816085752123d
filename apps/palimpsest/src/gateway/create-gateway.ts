import { type Clock, errorText, redactSecrets, type TokenCounter } from '@palimpsest/core'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { knownProfile } from '../bill/known-profile.ts'
import type { ViewHub } from '../page/view-hub.ts'
import type { EngineModels, ServiceEngine } from '../serve/service-engine.ts'
import { createLocalHolds, type SessionHolds } from '../stores/session-holds.ts'
import { OFFLINE_SUMMARIES } from '../summary-model.ts'
import { createAdditions } from './answer/additions.ts'
import { conversationId } from './conversations/conversation-id.ts'
import { createConversations } from './conversations/create-conversations.ts'
import type { ModelFacts } from './conversations/lease.ts'
import { GATEWAY_DEFAULTS, type GatewayLimits } from './gateway-defaults.ts'
import { type ChatParts, handleChat } from './handle-chat.ts'
import { createForward } from './http/create-forward.ts'
import { GatewayFault, toGatewayFault } from './http/gateway-fault.ts'
import { createModelWindows } from './http/model-windows.ts'
import { ownPagesOnly } from './http/own-pages-only.ts'
import { createRunningCalls } from './http/running-calls.ts'
import { createUpstream } from './http/upstream.ts'
import { parseJson } from './parse-json.ts'
import type { ConversationIndex, KnownConversation } from './recognition/conversation-index.ts'
import { createMemoryIndex } from './recognition/create-memory-index.ts'

export interface GatewayInput {
  readonly upstream: {
    /** Of any server with OpenAI's chat completions; ends in `/v1`, usually. */
    readonly baseUrl: string
    /** Sent to the upstream instead of what clients send. Default: theirs. */
    readonly apiKey?: string
  }
  readonly engine: Pick<ServiceEngine, 'open' | 'inspect' | 'profile'>
  /** Who writes summaries and the like. Without them, engines work without a model. */
  readonly models: EngineModels
  /** The window of models that nothing is known of, in tokens. */
  readonly window: number
  /** Windows by the names of models, in tokens: more certain than what the upstream says of them. */
  readonly windows?: Readonly<Record<string, number>>
  /** What conversations are recognised by. It is closed with the gateway. Default: in memory. */
  readonly index?: ConversationIndex
  /** Keep workers apart. They are closed with the gateway. Default: this process is the only one. */
  readonly holds?: SessionHolds
  /** Shows every conversation. */
  readonly hub: Pick<ViewHub, 'watch'>
  readonly tokens: TokenCounter
  readonly clock: Clock
  readonly log: (line: string) => void
  /** Whether the service has a token: then what clients authorize with is that, and is never forwarded. */
  readonly hasToken: boolean
  /** Replaces some of `GATEWAY_DEFAULTS`. */
  readonly limits?: Partial<GatewayLimits>
}

/** OpenAI's chat completions in front of an upstream, with the context of every conversation managed. */
export interface Gateway {
  /** `/v1/…`: chat completions and models; everything else is forwarded as it is. */
  readonly routes: Hono
  /** Conversations in memory. */
  readonly loaded: number
  /** Lets what is being answered finish within the limit, in milliseconds, and ends all conversations. */
  close(limit: number): Promise<void>
}

/** How often idle conversations are looked for, in milliseconds. */
const SWEEP_INTERVAL = 60_000
const PREFIX = '/v1'

export function createGateway(input: GatewayInput): Gateway {
  const { engine, models, hub, tokens, clock, hasToken } = input
  const limits = { ...GATEWAY_DEFAULTS, ...input.limits }
  const log = (line: string) => input.log(redactSecrets(line).replaceAll(/\s+/g, ' '))
  const { baseUrl, apiKey } = input.upstream
  const upstream = createUpstream({ baseUrl, idle: limits.idle })
  const credentials = { apiKey, hasToken }
  const index = input.index ?? createMemoryIndex(limits.remembered)
  const holds = input.holds ?? createLocalHolds()
  const running = createRunningCalls()
  const windows = createModelWindows({
    window: input.window,
    windows: input.windows ?? {},
    age: limits.modelListAge,
    clock,
  })

  const open = async (conversation: KnownConversation, { model, window, reserve }: ModelFacts) => {
    const sessionId = conversationId(conversation)
    const room = { contextLength: window, maxOutputTokens: reserve }
    const session = await engine.open(sessionId, models, room)
    const prices = knownProfile(model)
    const recorder = hub.watch({
      session,
      source: 'gateway',
      profile: engine.profile,
      model: model === '' ? null : `openai:${model}`,
      summaries: models.compaction?.name ?? OFFLINE_SUMMARIES,
      tokens,
      clock,
      inspector: engine.inspect(sessionId),
      ...(prices !== undefined && { prices }),
    })
    return recorder.session
  }
  const conversations = createConversations({ index, holds, open, clock, log, limits })
  const additions = createAdditions()
  const parts: ChatParts = { upstream, credentials, conversations, windows, additions, running, limits, log }

  const forward = createForward({ upstream, credentials, running, prefix: PREFIX })
  const routes = new Hono()
  routes.onError((error) => {
    const fault = toGatewayFault(error)
    if (fault.status === 500) log(`error: ${errorText(fault.cause)}`)
    return fault.toResponse()
  })
  const isTooLarge = () => {
    throw new GatewayFault(413, 'body_too_large', `the body is larger than ${limits.body} bytes; send less`)
  }
  if (!hasToken) routes.use(`${PREFIX}/*`, ownPagesOnly())
  routes.post(
    `${PREFIX}/chat/completions`,
    bodyLimit({ maxSize: limits.body, onError: isTooLarge }),
    async (context) => {
      await conversations.unloadIdle()
      return handleChat(context, parts)
    },
  )
  routes.get(`${PREFIX}/models`, async (context) => {
    const response = await forward(context)
    const text = await response.text()
    if (response.ok) windows.read(parseJson(text))
    return new Response(text, response)
  })
  routes.all(`${PREFIX}/*`, forward)

  const sweep = setInterval(() => {
    conversations.unloadIdle().catch((error) => log(`error: ${errorText(error)}`))
  }, SWEEP_INTERVAL)
  sweep.unref()

  const shutDown = async (limit: number): Promise<void> => {
    clearInterval(sweep)
    await running.drain(limit)
    await conversations.close()
    await Promise.all([index.close(), holds.close()])
  }
  let closing: Promise<void> | undefined
  return {
    routes,
    get loaded() {
      return conversations.loaded
    },
    close(limit) {
      closing ??= shutDown(limit)
      return closing
    },
  }
}
