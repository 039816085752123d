import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage } from '@langchain/core/messages'
import {
  type CompletionModel,
  createContextSession,
  type EngineDefinition,
  errorText,
  InvalidOptionError,
  type SessionEvent,
} from '@palimpsest/core'
import { createMiddleware } from 'langchain'
import { createLangChainCompletion } from '../completion/create-langchain-completion.ts'
import { langChainOverflow } from '../errors/langchain-overflow.ts'
import { LANGCHAIN_DEFAULTS } from '../langchain-defaults.ts'
import { fromLangChain } from '../messages/from-langchain.ts'
import { toUsage } from '../messages/to-usage.ts'
import {
  type AgentMessages,
  type AgentRequest,
  composeRequest,
  readRequest,
  settle,
} from './agent-request.ts'
import type {
  ContextEngineMiddleware,
  ContextEngineMiddlewareOptions,
  ThreadListener,
} from './context-engine-types.ts'
import { engineTools, hostTools } from './engine-tools.ts'
import { createOpenSessions, type OpenSession } from './open-sessions.ts'
import { sessionIdOf } from './session-id.ts'

/** Deep agents take a middleware of this name instead of the one that they bring. */
const NAME = 'SummarizationMiddleware'

/**
 * Puts an engine to work for the threads of an agent by `createAgent` or `createDeepAgent`. The state of the agent keeps
 * the whole history; the model sees what the engine makes of it. In a deep agent it replaces the summarising middleware,
 * that of its general-purpose subagent too; beside LangChain's own, `createAgent` refuses it.
 *
 * @param engine The engine, as its package exports it.
 * @throws InvalidEngineError, InvalidOptionError as `createContextSession`.
 */
export function contextEngineMiddleware<Options = Record<string, unknown>>(
  engine: EngineDefinition<Options>,
  input: ContextEngineMiddlewareOptions<Options>,
): ContextEngineMiddleware {
  const { model, maxSessions = LANGCHAIN_DEFAULTS.maxSessions, ...options } = input
  if (!(maxSessions >= 1))
    throw new InvalidOptionError('maxSessions', `maxSessions must be a number from 1 and is ${maxSessions}`)
  const completion = model === undefined ? {} : { model: toCompletionModel(model) }
  const listeners = new Set<ThreadListener>()
  const emit = (event: SessionEvent, id: string) => {
    for (const listener of listeners) {
      try {
        listener(event, id)
      } catch {
        // A listener's fault is its own.
      }
    }
  }
  const warn = (code: string, message: string, id: string) =>
    emit({ type: 'warning', warning: { code, message } }, id)
  const open = (sessionId: string) =>
    createContextSession<Options>({ ...options, ...completion, engine, sessionId })
  const sessions = createOpenSessions(
    (id) => {
      const session = open(id)
      session.subscribe((event) => emit(event, id))
      return session
    },
    maxSessions,
    (error, id) => warn('end-failed', `the session could not end well: ${errorText(error)}`, id),
  )

  // LangChain wants the tools before there is a thread.
  const first = open('tools')
  const tools = engineTools(first.engine, async ({ name, args, configurable, messages, signal }) => {
    const taken = await sessions.take(sessionIdOf(configurable, messages))
    try {
      return await taken.session.callTool(name, args, { signal })
    } finally {
      taken.release()
    }
  })
  const names = new Set<unknown>(tools.map(({ name }) => name))
  first.end().catch((error: unknown) => warn('end-failed', errorText(error), first.id))

  const prepare = async (
    { session }: OpenSession,
    request: AgentMessages & { readonly tools: readonly unknown[] },
    signal: AbortSignal | undefined,
  ): Promise<PreparedCall> => {
    const read = readRequest(request)
    const prepared = await session.prepare(read.wire, { tools: hostTools(request.tools, names), signal })
    settle(read, session.transcript)
    return { read, sent: composeRequest(request, read, prepared) }
  }

  const middleware = createMiddleware({
    name: NAME,
    tools,
    async wrapModelCall(request, handler) {
      const { configurable, signal } = request.runtime
      const id = sessionIdOf(configurable, request.messages)
      const unmanaged = (error: unknown) => {
        signal?.throwIfAborted()
        warn('engine-failed', `the prompt was sent as it was: ${errorText(error)}`, id)
        return undefined
      }
      const taken = await sessions.take(id).catch(unmanaged)
      if (taken === undefined) return handler(request)
      try {
        const call = await prepare(taken, request, signal).catch(unmanaged)
        if (call === undefined) return await handler(request)
        const answer = await ask(taken, call, signal, (sent) => handler({ ...request, ...sent }))
        const isKnown = (message: AIMessage) => request.messages.some((known) => known.id === message.id)
        await observe(taken, answer, isKnown).catch((error: unknown) =>
          warn('engine-failed', `the answer was not counted: ${errorText(error)}`, id),
        )
        return answer
      } finally {
        taken.release()
      }
    },
  })
  return Object.assign(middleware, {
    session: sessions.get,
    subscribe(listener: ThreadListener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    end: sessions.end,
  })
}

interface PreparedCall {
  readonly read: AgentRequest
  readonly sent: AgentMessages
}

/** Asks the model, and sends less, once, when the provider refuses the prompt as too long. */
async function ask<Answer>(
  { session }: OpenSession,
  { read, sent }: PreparedCall,
  signal: AbortSignal | undefined,
  handler: (sent: AgentMessages) => Answer | Promise<Answer>,
): Promise<Answer> {
  let next = sent
  for (;;) {
    try {
      return await handler(next)
    } catch (error) {
      const overflow = langChainOverflow(error)
      if (overflow === undefined) throw error
      next = composeRequest(sent, read, await session.recover(overflow, { signal }))
    }
  }
}

/** Counts an answer, unless it was counted: other middleware may ask twice and return the same. */
async function observe(
  taken: OpenSession,
  answer: unknown,
  isKnown: (message: AIMessage) => boolean,
): Promise<void> {
  const message = answerOf(answer)
  if (message === undefined) return
  const { id } = message
  if (id !== undefined && (id === taken.lastAnswer || isKnown(message))) return
  taken.lastAnswer = id
  const wire = fromLangChain(message, false)
  await taken.session.observe({
    ...(wire.role === 'assistant' && { message: wire }),
    usage: toUsage(message),
  })
}

/** The model's answer, which stands in a list when a structured response was read from it. */
function answerOf(answer: unknown): AIMessage | undefined {
  if (AIMessage.isInstance(answer)) return answer
  const { messages } = answer as { readonly messages?: unknown }
  return Array.isArray(messages) ? messages.find((message) => AIMessage.isInstance(message)) : undefined
}

function toCompletionModel(model: CompletionModel | BaseChatModel): CompletionModel {
  return 'complete' in model ? model : createLangChainCompletion(model)
}
