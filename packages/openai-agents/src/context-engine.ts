import { type AgentInputItem, type FunctionTool, type Model, type ModelRequest, tool } from '@openai/agents'
import {
  type AssistantMessage,
  type CompressResult,
  type ContextSession,
  type ContextSessionOptions,
  createContextSession,
  declaredTools,
  looseOf,
  type Message,
  messageText,
  type Prepared,
  printWarning,
  type ToolSchema,
} from '@palimpsest/core'
import { recoverableStream } from './recoverable-stream.ts'
import { toItems } from './to-items.ts'
import { toUnits, type Unit } from './units.ts'

/** Options of `contextEngine`. */
export type ContextEngineOptions<Options> = Pick<
  ContextSessionOptions<Options>,
  | 'engine'
  | 'options'
  | 'modelName'
  | 'store'
  | 'principal'
  | 'contextLength'
  | 'maxOutputTokens'
  | 'compactAt'
  | 'model'
  | 'tokens'
  | 'clock'
  | 'sessionId'
>

/** One conversation of agents with one engine. */
export interface AgentsContext {
  /**
   * Wraps the model of each agent in this conversation with the engine. A request whose history the provider keeps
   * (`conversationId`, `previousResponseId`) passes through.
   */
  wrap(model: Model): Model
  /** The engine's tools, to be added to the agent's `tools` from the first run on; may be empty. */
  readonly tools: FunctionTool[]
  /** The items last sent to the model, for display. The SDK's own `Session` holds everything. */
  readonly lastSent: readonly AgentInputItem[]
  /** The underlying session, for events, transcript and status. */
  readonly session: ContextSession
  compact(options?: Parameters<ContextSession['compact']>[0]): Promise<CompressResult>
  /** Ends the session and disposes of the engine. Idempotent. */
  end(): Promise<void>
}

interface Conversation {
  readonly request: ModelRequest
  readonly units: readonly Unit[]
  readonly length: number
}

/**
 * Adds an engine to one conversation of the OpenAI Agents SDK. The run and its `Session` keep the whole history; the
 * model gets the engine's projection.
 *
 * @throws InvalidEngineError, InvalidOptionError as `createContextSession`.
 */
export function contextEngine<Options = Record<string, unknown>>(
  input: ContextEngineOptions<Options>,
): AgentsContext {
  const session = createContextSession<Options>({ ...input, onUnheardWarning: printWarning })
  const own = declaredTools(session.engine)
  let lastSent: readonly AgentInputItem[] = []

  const compose = ({ request, units, length }: Conversation, prepared: Prepared): ModelRequest => {
    const first = units.length === length ? 0 : 1
    // Another length means that the session split the messages differently.
    const isAligned = session.transcript.length === length
    lastSent = toItems(prepared, (index) => (isAligned ? units[index - first] : undefined))
    const [system] = prepared.messages
    const instructions = system?.role === 'system' ? { systemInstructions: messageText(system) } : {}
    return { ...request, ...instructions, input: [...lastSent] }
  }

  const prepare = async (request: ModelRequest): Promise<Conversation & { readonly sent: ModelRequest }> => {
    const { systemInstructions: system, input, signal } = request
    const units = toUnits(typeof input === 'string' ? [{ role: 'user', content: input }] : input)
    const messages: Message[] = units.map(({ message }) => message)
    if (system) messages.unshift({ role: 'system', content: system })
    const conversation = { request, units, length: messages.length }
    const prepared = await session.prepare(messages, { tools: hostTools(request, own), signal })
    return { ...conversation, sent: compose(conversation, prepared) }
  }

  const recover = async (conversation: Conversation, error: unknown): Promise<ModelRequest> => {
    const { signal } = conversation.request
    return compose(conversation, await session.recover(error, { signal }))
  }

  const wrap = (model: Model): Model => {
    const retryAdvice = model.getRetryAdvice?.bind(model)
    return {
      ...(model.supportsPromptModelSelection && { supportsPromptModelSelection: true }),
      ...(retryAdvice && { getRetryAdvice: retryAdvice }),
      async getResponse(request) {
        if (isKeptElsewhere(request)) return model.getResponse(request)
        const conversation = await prepare(request)
        for (let { sent } = conversation; ; ) {
          try {
            const response = await model.getResponse(sent)
            await observe(session, response)
            return response
          } catch (error) {
            sent = await recover(conversation, error)
          }
        }
      },
      async *getStreamedResponse(request) {
        if (isKeptElsewhere(request)) return yield* model.getStreamedResponse(request)
        const conversation = await prepare(request)
        const ask = (sent: ModelRequest) => model.getStreamedResponse(sent)
        for await (const event of recoverableStream(conversation.sent, ask, (error) =>
          recover(conversation, error),
        )) {
          if (event.type === 'response_done') await observe(session, event.response)
          yield event
        }
      },
    }
  }

  return {
    session,
    tools: own.map((schema) => agentTool(session, schema)),
    wrap,
    get lastSent() {
      return lastSent
    },
    compact: (options) => session.compact(options),
    end: () => session.end(),
  }
}

/** The provider adds the history, so the request does not contain the conversation. */
function isKeptElsewhere({ conversationId, previousResponseId }: ModelRequest): boolean {
  return Boolean(conversationId || previousResponseId)
}

interface Answered {
  readonly output: readonly object[]
  readonly usage: {
    readonly inputTokens: number
    readonly outputTokens: number
    readonly totalTokens: number
    readonly inputTokensDetails?: unknown
    readonly outputTokensDetails?: unknown
  }
}

async function observe(session: ContextSession, { output, usage }: Answered): Promise<void> {
  const [answer] = toUnits(output as AgentInputItem[]).filter(({ message }) => message.role === 'assistant')
  const { inputTokens, outputTokens, totalTokens, inputTokensDetails, outputTokensDetails } = usage
  await session.observe({
    ...(answer && { message: answer.message as AssistantMessage }),
    ...(inputTokens > 0 && {
      usage: {
        input_tokens: inputTokens,
        output_tokens: outputTokens,
        total_tokens: totalTokens,
        input_tokens_details: [inputTokensDetails].flat()[0],
        output_tokens_details: [outputTokensDetails].flat()[0],
      },
    }),
  })
}

function agentTool(
  session: ContextSession,
  { function: { name, description = name, parameters } }: ToolSchema,
): FunctionTool {
  return tool({
    name,
    description,
    strict: false,
    parameters: { properties: {}, required: [], ...parameters, type: 'object', additionalProperties: true },
    execute: (args, _, details) => session.callTool(name, args, { signal: details?.signal }),
  }) as FunctionTool
}

function hostTools({ tools, handoffs }: ModelRequest, own: readonly ToolSchema[]): ToolSchema[] {
  const names = new Set(own.map((schema) => schema.function.name))
  const schemas = tools.map((offered): ToolSchema => {
    const { name, description, parameters } = looseOf(offered)
    return {
      type: 'function',
      function: {
        name: String(name),
        ...(typeof description === 'string' && { description }),
        ...(parameters !== undefined && { parameters: { ...looseOf(parameters) } }),
      },
    }
  })
  const handovers = handoffs.map(
    ({ toolName: name, toolDescription: description, inputJsonSchema: parameters }): ToolSchema => ({
      type: 'function',
      function: { name, description, parameters: { ...parameters } },
    }),
  )
  return [...schemas.filter((schema) => !names.has(schema.function.name)), ...handovers]
}
