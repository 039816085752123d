import { createTool } from '@mastra/core/tools'
import type { ModelConversation } from '@palimpsest/ai-sdk/conversation'
import type {
  ContextProcessor,
  EngineTool,
  MastraContext,
  MastraContextOptions,
} from './context-engine-types.ts'
import { type Conversations, createConversations } from './conversations.ts'
import { type ModelPrompt, toModelRequest, toPrompt } from './prompt.ts'
import { readAnswer } from './read-answer.ts'

/**
 * Puts an engine to work for the conversations of a Mastra agent: a session for each thread. Mastra's memory keeps every
 * message; the model sees what the engine makes of them. A call without a thread is a conversation of its own.
 *
 * @throws InvalidEngineError, InvalidOptionError as `createContextSession`.
 */
export function contextEngine<Options = Record<string, unknown>>(
  options: MastraContextOptions<Options>,
): MastraContext {
  const conversations = createConversations(options)
  return {
    processor: createProcessor(conversations),
    tools: engineTools(conversations),
    session: (threadId) => conversations.ofThread(threadId).session,
    subscribe: conversations.subscribe,
    end: conversations.end,
  }
}

/** Where a run of an agent keeps the prompt that it tries again with. */
const SMALLER = 'smallerPrompt'

function createProcessor(conversations: Conversations): ContextProcessor {
  return {
    id: 'palimpsest',
    name: 'Palimpsest',

    async processLLMRequest({ prompt, requestContext, state, abortSignal }) {
      const smaller = state[SMALLER] as ModelPrompt | undefined
      delete state[SMALLER]
      if (smaller !== undefined) return { prompt: smaller }
      const conversation: ModelConversation = conversations.ofRun(requestContext)
      try {
        const request = await conversation.prepare(toModelRequest(prompt), { abortSignal })
        return { prompt: toPrompt(request) }
      } catch (error) {
        // Mastra ends an aborted run itself, when it asks the model.
        if (abortSignal?.aborted) return undefined
        throw error
      }
    },

    async processLLMResponse({ chunks, requestContext, fromCache }) {
      const answer = fromCache ? undefined : readAnswer(chunks)
      if (answer !== undefined) await conversations.ofRun(requestContext).session.observe(answer)
    },

    async processAPIError({ error, requestContext, state, abortSignal }) {
      const request = await conversations.ofRun(requestContext).recover(error, { abortSignal })
      if (request === undefined) return undefined
      state[SMALLER] = toPrompt(request)
      return { retry: true }
    },
  }
}

function engineTools(conversations: Conversations): Record<string, EngineTool> {
  return Object.fromEntries(
    conversations.toolSchemas.map(({ function: { name, description = name, parameters = {} } }) => [
      name,
      createTool({
        id: name,
        description,
        inputSchema: { ...parameters },
        execute: (input, { requestContext, abortSignal }) =>
          conversations
            .ofRun(requestContext)
            .session.callTool(name, input, { ...(abortSignal && { signal: abortSignal }) }),
      }),
    ]),
  )
}
