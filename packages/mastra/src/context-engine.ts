import { createTool, type Tool } from '@mastra/core/tools'
import { type HostTools, toolSchemasOf } from '@palimpsest/ai-sdk/conversation'
import { looseOf, type ToolSchema } from '@palimpsest/core'
import type { ContextProcessor, MastraContext, MastraContextOptions } from './context-engine-types.ts'
import { type Conversations, createConversations } from './conversations.ts'
import { type ModelPrompt, toModelRequest, toPrompt } from './prompt.ts'
import { readAnswer } from './read-answer.ts'

/**
 * Adds an engine to a Mastra agent's conversations, with one session per thread. Mastra's memory keeps every message;
 * the model gets the engine's projection. A call without a thread is a conversation of its own.
 *
 * @throws InvalidOptionError for an invalid number of threads. An engine's errors are thrown when a thread starts.
 */
export function contextEngine<Options = Record<string, unknown>>(
  options: MastraContextOptions<Options>,
): MastraContext {
  const conversations = createConversations(options)
  return {
    processor: createProcessor(conversations),
    session: conversations.session,
    subscribe: conversations.subscribe,
    end: conversations.end,
  }
}

interface RunState {
  tools?: readonly ToolSchema[]
  modelName?: string | undefined
  smaller?: ModelPrompt | undefined
}

function createProcessor(conversations: Conversations): ContextProcessor {
  return {
    id: 'palimpsest',
    name: 'Palimpsest',

    async processInputStep({ tools = {}, activeTools, requestContext, state, model }) {
      const own: RunState = state
      own.modelName = model?.modelId
      own.tools = await toolSchemasOf(asHostTools(tools)).catch(() => [])
      const added = await conversations.inRun(requestContext, (own) =>
        engineTools(conversations, own.toolSchemas(tools)),
      )
      return {
        tools: { ...tools, ...added },
        ...(activeTools && { activeTools: [...activeTools, ...Object.keys(added)] }),
      }
    },

    async processLLMRequest({ prompt, requestContext, state, abortSignal }) {
      const { tools, modelName, smaller }: RunState = state
      delete state.smaller
      if (smaller !== undefined) return { prompt: smaller }
      try {
        const request = await conversations.inRun(requestContext, (conversation) =>
          conversation.prepare(toModelRequest(prompt), { abortSignal, modelName, ...(tools && { tools }) }),
        )
        const sent = toPrompt(request)
        const isSame = sent.length === prompt.length && sent.every((message, at) => message === prompt[at])
        return isSame ? undefined : { prompt: sent }
      } catch (error) {
        if (abortSignal?.aborted) return undefined
        throw error
      }
    },

    async processLLMResponse({ chunks, requestContext, fromCache }) {
      const answer = fromCache ? undefined : readAnswer(chunks)
      if (answer !== undefined)
        await conversations.inRun(requestContext, ({ session }) => session.observe(answer))
    },

    async processAPIError({ error, requestContext, state, abortSignal }) {
      const own: RunState = state
      const request = await conversations.inRun(requestContext, (conversation) =>
        conversation.recover(error, { abortSignal }),
      )
      if (request === undefined) return undefined
      own.smaller = toPrompt(request)
      return { retry: true }
    },
  }
}

/** Mastra passes tools with the schema under either name. */
function asHostTools(tools: Record<string, unknown>): HostTools {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => {
      const { description, inputSchema, parameters } = looseOf(tool)
      return [name, { description, inputSchema: (inputSchema ?? parameters) as undefined }]
    }),
  )
}

function engineTools(conversations: Conversations, schemas: readonly ToolSchema[]): Record<string, Tool> {
  return Object.fromEntries(
    schemas.map(({ function: { name, description = name, parameters = {} } }) => [
      name,
      createTool({
        id: name,
        description,
        inputSchema: { ...parameters },
        execute: (input, { requestContext, abortSignal }) =>
          conversations.inRun(requestContext, ({ session }) =>
            session.callTool(name, input, { ...(abortSignal && { signal: abortSignal }) }),
          ),
      }),
    ]),
  )
}
