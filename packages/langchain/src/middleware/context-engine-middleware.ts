import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import {
  type CompletionModel,
  createContextSession,
  type EngineDefinition,
  errorText,
  InvalidOptionError,
  looseOf,
} from '@palimpsest/core'
import { createMiddleware, type ModelRequest } from 'langchain'
import { createLangChainCompletion } from '../completion/create-langchain-completion.ts'
import { langChainOverflow } from '../errors/langchain-overflow.ts'
import { LANGCHAIN_DEFAULTS } from '../langchain-defaults.ts'
import { fromLangChain } from '../messages/from-langchain.ts'
import { toUsage } from '../messages/to-usage.ts'
import { type AgentMessages, type AgentRequest, composeRequest, readRequest } from './agent-request.ts'
import type { ContextEngineMiddleware, ContextEngineMiddlewareOptions } from './context-engine-types.ts'
import { engineTools, hostTools } from './engine-tools.ts'
import { forgetThread } from './forget-thread.ts'
import { createOpenSessions, type OpenSession, type OpenSessions } from './open-sessions.ts'
import { sessionIdOf } from './session-id.ts'

/** Deep agents replace their own middleware by one of this name. */
const NAME = 'SummarizationMiddleware'

/**
 * Adds an engine to the threads of an agent by `createAgent` or `createDeepAgent`. The agent's state keeps the whole
 * history; the model gets the engine's projection. In a deep agent it replaces the summarising middleware, also of its
 * general-purpose subagent; `createAgent` refuses it beside LangChain's own.
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
  const create = (sessionId: string) =>
    createContextSession<Options>({ ...options, ...completion, engine, sessionId })
  const sessions = createOpenSessions(create, maxSessions)
  const { subscribe, close: end } = sessions
  const session = (threadId: string) => sessions.get(threadId)?.session

  // LangChain needs the tools before there is a thread. This session never starts, and nothing of it is stored.
  const first = createContextSession<Options>({ ...options, store: undefined, engine })
  const tools = engineTools(first.engine, ({ name, args, configurable, messages, signal }) =>
    sessions.use(sessionIdOf(configurable, messages), ({ session }) =>
      session.callTool(name, args, { signal }),
    ),
  )
  const names = new Set<unknown>(tools.map(({ name }) => name))
  first.end().catch((error: unknown) => sessions.warn('end-failed', String(error), first.id))

  const middleware = createMiddleware({
    name: NAME,
    tools,
    wrapModelCall: (request, handler) =>
      managedCall(sessions, names, request, (sent) => handler({ ...request, ...sent })),
  })
  const deleteThread = async (threadId: string): Promise<void> => {
    await sessions.endThread(threadId)
    if (input.store !== undefined) await forgetThread(input.store, threadId, input)
  }
  return Object.assign(middleware, { session, deleteThread, subscribe, end })
}

function toCompletionModel(model: CompletionModel | BaseChatModel): CompletionModel {
  if (typeof model !== 'object' || model === null)
    throw new InvalidOptionError(
      'model',
      `model must be a chat model of LangChain or a CompletionModel, and is ${String(model)}`,
    )
  return 'complete' in model ? model : createLangChainCompletion(model)
}

function modelNameOf(chat: unknown): string | undefined {
  const { model, modelName = model } = looseOf(chat)
  return typeof modelName === 'string' ? modelName : undefined
}

type Request = Pick<ModelRequest, 'messages' | 'systemMessage' | 'tools' | 'runtime' | 'model'>

interface PreparedCall {
  readonly read: AgentRequest
  readonly sent: AgentMessages
}

async function managedCall<Answer>(
  sessions: OpenSessions,
  engineNames: ReadonlySet<unknown>,
  request: Request,
  handler: (sent: AgentMessages) => Answer | Promise<Answer>,
): Promise<Answer> {
  const { messages, systemMessage, tools } = request
  const { configurable, signal } = request.runtime
  const id = sessionIdOf(configurable, messages)
  const unmanaged = (error: unknown) => {
    signal?.throwIfAborted()
    sessions.warn('engine-failed', `the prompt was sent as it was: ${errorText(error)}`, id)
    return undefined
  }
  const prepare = async ({ session }: OpenSession): Promise<PreparedCall> => {
    const read = readRequest(request)
    const options = { tools: hostTools(tools, engineNames), modelName: modelNameOf(request.model), signal }
    const prepared = await session.prepare(read.wire, options)
    return { read, sent: composeRequest(systemMessage, read, prepared) }
  }
  const call = async (taken: OpenSession): Promise<Answer> => {
    const prepared = await prepare(taken).catch(unmanaged)
    if (prepared === undefined) return handler({ messages, systemMessage })
    const answer = await ask(taken, prepared, signal, handler)
    await observe(taken, answer, messages).catch((error: unknown) =>
      sessions.warn('engine-failed', `the answer was not counted: ${errorText(error)}`, id),
    )
    return answer
  }

  let isOpen = false
  const run = (taken: OpenSession) => {
    isOpen = true
    return taken.queue(() => call(taken), signal)
  }
  return sessions.use(id, run).catch((error: unknown) => {
    if (isOpen) throw error
    unmanaged(error)
    return handler({ messages, systemMessage })
  })
}

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
      const refusal = langChainOverflow(error) ?? error
      next = composeRequest(sent.systemMessage, read, await session.recover(refusal, { signal }))
    }
  }
}

/** Counts an answer once: other middleware may ask twice and return the same one. */
async function observe(taken: OpenSession, answer: unknown, messages: readonly BaseMessage[]): Promise<void> {
  const message = answerOf(answer)
  if (message === undefined) return
  const { id } = message
  if (id !== undefined && (id === taken.lastAnswer || messages.some((known) => known.id === id))) return
  taken.lastAnswer = id
  const wire = fromLangChain(message, false)
  await taken.session.observe({
    ...(wire.role === 'assistant' && { message: wire }),
    usage: toUsage(message),
  })
}

function answerOf(answer: unknown): AIMessage | undefined {
  if (AIMessage.isInstance(answer)) return answer
  const { messages } = answer as { readonly messages?: unknown }
  return Array.isArray(messages) ? messages.find((message) => AIMessage.isInstance(message)) : undefined
}
