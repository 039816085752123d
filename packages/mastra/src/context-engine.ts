import { createTool, type Tool } from '@mastra/core/tools'
import { type HostTools, type ModelConversation, toolSchemasOf } from '@palimpsest/ai-sdk/conversation'
import type { ToolSchema } from '@palimpsest/core'
import type { ContextProcessor, MastraContext, MastraContextOptions } from './context-engine-types.ts'
import { type Conversations, createConversations } from './conversations.ts'
import { type ModelPrompt, toModelRequest, toPrompt } from './prompt.ts'
import { readAnswer } from './read-answer.ts'

/**
 * Puts an engine to work for the conversations of a Mastra agent: a session for each thread. Mastra's memory keeps every
 * message; the model sees what the engine makes of them. A call without a thread is a conversation of its own.
 *
 * @throws InvalidOptionError for a number of threads that is none. What an engine refuses is thrown when a thread begins.
 */
export function contextEngine<Options = Record<string, unknown>>(
  options: MastraContextOptions<Options>,
): MastraContext {
  const conversations = createConversations(options)
  return {
    processor: createProcessor(conversations),
    session: (threadId) => conversations.ofThread(threadId).session,
    subscribe: conversations.subscribe,
    end: conversations.end,
  }
}

/** What a run of an agent keeps from one hook to the next. */
interface RunState {
  /** The agent's own tools, as they are counted. */
  tools?: readonly ToolSchema[]
  /** The prompt that is tried after one that was too long. */
  smaller?: ModelPrompt | undefined
}

function createProcessor(conversations: Conversations): ContextProcessor {
  return {
    id: 'palimpsest',
    name: 'Palimpsest',

    async processInputStep({ tools = {}, requestContext, state }) {
      const own: RunState = state
      own.tools = await toolSchemasOf(asHostTools(tools))
      return { tools: { ...tools, ...engineTools(conversations.ofRun(requestContext), tools) } }
    },

    async processLLMRequest({ prompt, requestContext, state, abortSignal }) {
      const { tools, smaller }: RunState = state
      delete state.smaller
      if (smaller !== undefined) return { prompt: smaller }
      try {
        const request = await conversations
          .ofRun(requestContext)
          .prepare(toModelRequest(prompt), { abortSignal, ...(tools && { tools }) })
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
      const own: RunState = state
      const request = await conversations.ofRun(requestContext).recover(error, { abortSignal })
      if (request === undefined) return undefined
      own.smaller = toPrompt(request)
      return { retry: true }
    },
  }
}

/** Mastra hands a processor its tools with the schema under either name. */
function asHostTools(tools: Record<string, unknown>): HostTools {
  return Object.fromEntries(
    Object.entries(tools as Record<string, Loose>).map(([name, tool]) => [
      name,
      { description: tool.description, inputSchema: (tool.inputSchema ?? tool.parameters) as undefined },
    ]),
  )
}

type Loose = Readonly<Record<string, unknown>>

function engineTools({ session, toolSchemas }: ModelConversation, own: object): Record<string, Tool> {
  return Object.fromEntries(
    toolSchemas(own).map(({ function: { name, description = name, parameters = {} } }) => [
      name,
      createTool({
        id: name,
        description,
        inputSchema: { ...parameters },
        execute: (input, { abortSignal }) =>
          session.callTool(name, input, { ...(abortSignal && { signal: abortSignal }) }),
      }),
    ]),
  )
}
