import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import {
  type CompletionModel,
  createContextSession,
  type EngineDefinition,
  InvalidOptionError,
} from '@palimpsest/core'
import { createMiddleware } from 'langchain'
import { createLangChainCompletion } from '../completion/create-langchain-completion.ts'
import { LANGCHAIN_DEFAULTS } from '../langchain-defaults.ts'
import type { ContextEngineMiddleware, ContextEngineMiddlewareOptions } from './context-engine-types.ts'
import { engineTools } from './engine-tools.ts'
import { managedCall } from './managed-call.ts'
import { createOpenSessions } from './open-sessions.ts'
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
  const create = (sessionId: string) =>
    createContextSession<Options>({ ...options, ...completion, engine, sessionId })
  const sessions = createOpenSessions(create, maxSessions)
  const { subscribe, close: end } = sessions
  const session = (threadId: string) => sessions.get(threadId)?.session

  // LangChain wants the tools before there is a thread. This session never begins.
  const first = create('tools')
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
  return Object.assign(middleware, { session, subscribe, end })
}

function toCompletionModel(model: CompletionModel | BaseChatModel): CompletionModel {
  if (typeof model !== 'object' || model === null)
    throw new InvalidOptionError(
      'model',
      `model must be a chat model of LangChain or a CompletionModel, and is ${String(model)}`,
    )
  return 'complete' in model ? model : createLangChainCompletion(model)
}
