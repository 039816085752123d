import {
  type CompletionModel,
  type ContextSession,
  createContextSession,
  equalValues,
  isInstruction,
  looseOf,
  type Prepared,
  type ToolSchema,
} from '@palimpsest/core'
import { asSchema, type Instructions, jsonSchema, type LanguageModel, type ModelMessage, tool } from 'ai'
import { createAiSdkCompletion } from '../completion/create-ai-sdk-completion.ts'
import { fromModelMessages, type Unit } from '../messages/from-model-messages.ts'
import { composeRequest, unitOwners } from './compose-request.ts'
import type {
  AiSdkContext,
  ContextEngineOptions,
  EngineTool,
  FinishedStep,
  HostTools,
  StepOverride,
} from './context-engine-types.ts'
import { withNote } from './join-instructions.ts'
import { createOverflowMiddleware } from './overflow-middleware.ts'
import { NO_CONVERSATION, readConversation, settled, wireMessages } from './read-conversation.ts'
import { createStepTranscript } from './step-transcript.ts'

/**
 * Puts an engine to work for one conversation of `generateText`, `streamText` or a `ToolLoopAgent`. The application
 * keeps its whole transcript and sends it each turn; the model sees what the engine makes of it.
 *
 * @throws InvalidEngineError, InvalidOptionError as `createContextSession`.
 */
export function contextEngine<Options = Record<string, unknown>>(
  input: ContextEngineOptions<Options>,
): AiSdkContext {
  const { model, tools = {}, ...options } = input
  const session = createContextSession<Options>({
    ...options,
    ...(model !== undefined && { model: toCompletionModel(model) }),
  })
  const transcript = createStepTranscript()
  const observed = new WeakSet<FinishedStep>()
  const schemas = lazily(() => toolSchemas(tools))
  let conversation = NO_CONVERSATION
  let made: readonly Unit[] = []
  let lastSent: readonly ModelMessage[] | undefined
  /** Instructions that were returned carry forward: the application's own behind them. */
  let returned: { readonly instructions: Instructions; readonly own: Instructions | undefined } | undefined

  const compose = ({ messages, origins }: Prepared) => {
    const { instructions, system, leading, body } = conversation
    const [first] = messages
    const sentSystem = first !== undefined && isInstruction(first) ? first : undefined
    const from = sentSystem === undefined ? 0 : 1
    const owners = unitOwners(body, session.transcript, system === undefined ? 0 : 1)
    const projection = { messages: messages.slice(from), origins: origins.slice(from) }
    const request = composeRequest(projection, owners, made)
    made = request.made
    return {
      messages: [...leading, ...request.messages],
      instructions: withNote(instructions, system, sentSystem),
    }
  }

  const observe = async (step: FinishedStep): Promise<void> => {
    if (observed.has(step)) return
    observed.add(step)
    await session.observe(observationOf(step))
  }

  return {
    session,
    tools: engineTools(session, tools),
    onStepEnd: observe,

    async prepareStep(step, { abortSignal, focusTopic } = {}) {
      const last = step.steps.at(-1)
      if (last !== undefined) await observe(last)
      const own = equalValues(step.instructions, returned?.instructions) ? returned?.own : step.instructions
      // Between two calls the application may have changed its objects.
      const known = step.stepNumber === 0 ? [] : conversation.units
      conversation = readConversation(own, transcript.read(step), known)
      const prepared = await session.prepare(wireMessages(conversation), {
        tools: await schemas(),
        ...(focusTopic !== undefined && { focusTopic }),
        ...(abortSignal !== undefined && { signal: abortSignal }),
      })
      conversation = settled(conversation, session.transcript)
      const { messages, instructions } = compose(prepared)
      const isSame = isSameList(messages, step.messages)
      lastSent = isSame ? step.messages : messages
      transcript.sent(lastSent)
      const isNoted = instructions !== undefined && !equalValues(instructions, step.instructions)
      if (isNoted) returned = { instructions, own }
      if (isSame && !isNoted) return undefined
      return { ...(!isSame && { messages }), ...(isNoted && { instructions }) } satisfies StepOverride
    },

    middleware: createOverflowMiddleware({
      lastSent: () => lastSent,
      async recover(error, abortSignal) {
        const prepared = await session.recover(error, { ...(abortSignal && { signal: abortSignal }) })
        const { messages, instructions } = compose(prepared)
        return { messages, ...(instructions !== undefined && { instructions }) }
      },
    }),

    compact: (call) => session.compact(call),
    end: () => session.end(),
  }
}

function observationOf({ response, usage }: FinishedStep) {
  const message = fromModelMessages(response.messages).find(({ role }) => role === 'assistant')
  const isCounted = usage.inputTokens !== undefined
  return { ...(message?.role === 'assistant' && { message }), ...(isCounted && { usage }) }
}

function isSameList(a: readonly ModelMessage[], b: readonly ModelMessage[]): boolean {
  return a.length === b.length && a.every((message, index) => message === b[index])
}

function toCompletionModel(model: CompletionModel | LanguageModel): CompletionModel {
  return typeof model === 'object' && 'complete' in model ? model : createAiSdkCompletion(model)
}

function lazily<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The session's tools for the AI SDK, but those without a name and those whose name the application uses itself. */
function engineTools(session: ContextSession, own: HostTools): Record<string, EngineTool> {
  const offered = session.engine
    .toolSchemas()
    .filter(({ function: { name } }) => name !== '' && !Object.hasOwn(own, name))
  return Object.fromEntries(
    offered.map(({ function: { name, description, parameters } }) => [
      name,
      tool({
        ...(description !== undefined && { description }),
        inputSchema: jsonSchema<Record<string, unknown>>({ ...parameters }),
        execute: (input, { abortSignal }) =>
          session.callTool(name, input, { ...(abortSignal && { signal: abortSignal }) }),
      }),
    ]),
  )
}

/**
 * The application's tools as they are counted. A description that is written for each call anew is left out, and so is
 * the schema of a tool of the provider's.
 */
async function toolSchemas(tools: HostTools): Promise<ToolSchema[]> {
  return Promise.all(
    Object.entries(tools).map(async ([name, { description, inputSchema }]): Promise<ToolSchema> => {
      const schema: unknown = await asSchema(inputSchema).jsonSchema
      const text = typeof description === 'string' ? { description } : {}
      return { type: 'function', function: { name, ...text, parameters: { ...looseOf(schema) } } }
    }),
  )
}
