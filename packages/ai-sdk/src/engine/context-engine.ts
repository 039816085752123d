import { equalValues, looseOf } from '@palimpsest/core'
import {
  generateText,
  type Instructions,
  jsonSchema,
  type LanguageModel,
  type LanguageModelMiddleware,
  type ModelMessage,
  tool,
} from 'ai'
import { fromModelMessages } from '../messages/model-messages.ts'
import type {
  AiSdkContext,
  ContextEngineOptions,
  EngineTool,
  FinishedStep,
  HostTools,
  StepInput,
  StepOverride,
} from './context-engine-types.ts'
import { createModelConversation, type ModelConversation, type ModelRequest } from './model-conversation.ts'

/**
 * Adds an engine to one conversation of `generateText`, `streamText` or a `ToolLoopAgent`. The application keeps its
 * whole transcript and sends it each turn; the model gets the engine's projection.
 *
 * @throws InvalidEngineError, InvalidOptionError as `createContextSession`.
 */
export function contextEngine<Options = Record<string, unknown>>(
  input: ContextEngineOptions<Options>,
): AiSdkContext {
  const conversation = createModelConversation(input)
  const { session } = conversation
  const transcript = createStepTranscript()
  const observed = new WeakSet<FinishedStep>()
  let lastSent: readonly ModelMessage[] | undefined
  /** Returned instructions carry over to later steps, so the application's own are kept. */
  let returned: { readonly instructions: Instructions; readonly own: Instructions | undefined } | undefined

  const observe = async (step: FinishedStep): Promise<void> => {
    if (observed.has(step)) return
    observed.add(step)
    await session.observe(observationOf(step))
  }

  return {
    session,
    tools: engineTools(conversation, input.tools ?? {}),
    onStepEnd: observe,

    async prepareStep(step, options) {
      const last = step.steps.at(-1)
      if (last !== undefined) await observe(last)
      const own = equalValues(step.instructions, returned?.instructions) ? returned?.own : step.instructions
      const { messages, instructions } = await conversation.prepare(
        { instructions: own, messages: transcript.read(step) },
        { ...options, modelName: typeof step.model === 'object' ? step.model.modelId : step.model },
      )
      const isSame = isSameList(messages, step.messages)
      lastSent = isSame ? step.messages : messages
      transcript.sent(lastSent)
      const isNoted = instructions !== undefined && !equalValues(instructions, step.instructions)
      if (isNoted) returned = { instructions, own }
      if (isSame && !isNoted) return undefined
      return {
        ...(!isSame && { messages: [...messages] }),
        ...(isNoted && { instructions }),
      } satisfies StepOverride
    },

    middleware: createOverflowMiddleware({ lastSent: () => lastSent, recover: conversation.recover }),
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

function engineTools(
  { session, toolSchemas }: ModelConversation,
  own: HostTools,
): Record<string, EngineTool> {
  return Object.fromEntries(
    toolSchemas(own).map(({ function: { name, description, parameters } }) => [
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
 * Tracks the real conversation while the AI SDK continues with the replaced one. Messages returned by `prepareStep`
 * come back with the next step's after them, so new ones follow what was sent. If other code changed that prefix, such
 * as by a cache marker, the conversation is rebuilt from the call's messages and its steps.
 */
function createStepTranscript() {
  let whole: readonly ModelMessage[] = []
  let last: readonly ModelMessage[] | undefined
  return {
    read(step: StepInput): readonly ModelMessage[] {
      const { messages, stepNumber } = step
      if (stepNumber === 0 || last === undefined) whole = messages
      else if (beginsWith(messages, last)) whole = [...whole, ...messages.slice(last.length)]
      else whole = reassemble(step)
      return whole
    },
    sent(messages: readonly ModelMessage[]): void {
      last = messages
    },
  }
}

function beginsWith(messages: readonly ModelMessage[], beginning: readonly ModelMessage[]): boolean {
  return beginning.every((message, index) => message === messages[index])
}

function reassemble(step: StepInput): ModelMessage[] {
  const ofSteps = step.steps.flatMap(({ response, experimental_steeringMessages: steering = [] }) => [
    ...steering,
    ...response.messages,
  ])
  const answered = step.steps.reduce((sum, { response }) => sum + response.messages.length, 0)
  // Results of tools that the user approved come before the first step.
  const approved = step.responseMessages.slice(0, step.responseMessages.length - answered)
  return [...step.initialMessages, ...approved, ...ofSteps, ...(step.experimental_steeringMessages ?? [])]
}

interface OverflowInput {
  readonly lastSent: () => readonly ModelMessage[] | undefined
  readonly recover: ModelConversation['recover']
}

/**
 * Sends a smaller prompt if the provider refuses one as too long. Other requests, such as a summary by the same model,
 * pass their errors through.
 */
function createOverflowMiddleware({ lastSent, recover }: OverflowInput): LanguageModelMiddleware {
  const send = async <Result>(
    { params, model }: { readonly params: ModelCall; readonly model: WrappedModel },
    first: () => PromiseLike<Result>,
    again: (prompt: ModelPrompt) => PromiseLike<Result>,
  ): Promise<Result> => {
    let attempt = first
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        const sent = lastSent()
        const isOurs = sent !== undefined && promptKey(sent) === promptKey(params.prompt)
        const less: ModelRequest | undefined = isOurs
          ? await recover(error, { abortSignal: params.abortSignal })
          : undefined
        if (less === undefined) throw error
        const prompt = await toModelPrompt(less, model, params.abortSignal)
        attempt = () => again(prompt)
      }
    }
  }
  return {
    specificationVersion: 'v4',
    wrapGenerate: ({ doGenerate, params, model }) =>
      send({ params, model }, doGenerate, (prompt) => model.doGenerate({ ...params, prompt })),
    wrapStream: ({ doStream, params, model }) =>
      send({ params, model }, doStream, (prompt) => model.doStream({ ...params, prompt })),
  }
}

type WrapGenerate = NonNullable<LanguageModelMiddleware['wrapGenerate']>
type WrappedModel = Parameters<WrapGenerate>[0]['model']
type ModelCall = Parameters<WrapGenerate>[0]['params']
type ModelPrompt = ModelCall['prompt']

const ANSWER: Awaited<ReturnType<WrapGenerate>> = {
  content: [{ type: 'text', text: '.' }],
  finishReason: { unified: 'stop', raw: undefined },
  usage: {
    inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 0, text: 0, reasoning: 0 },
  },
  warnings: [],
}

/**
 * Converts messages to a model's prompt: downloads files that the model cannot load, and groups results. The AI SDK
 * does not export its conversion, so it generates with a model that only captures its input.
 */
async function toModelPrompt(
  { instructions, messages }: ModelRequest,
  model: WrappedModel,
  abortSignal: AbortSignal | undefined,
): Promise<ModelPrompt> {
  let prompt: ModelPrompt = []
  const looking: Exclude<LanguageModel, string> = {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(call) {
      prompt = call.prompt
      return ANSWER
    },
    async doStream() {
      throw new Error('nothing is streamed')
    },
  }
  await generateText({
    model: looking,
    messages: [...messages],
    allowSystemInMessages: true,
    ...(instructions !== undefined && { instructions }),
    ...(abortSignal !== undefined && { abortSignal }),
  })
  return prompt
}

function promptKey(messages: ModelPrompt | readonly ModelMessage[]): string {
  const said = messages.flatMap(({ role, content }) => {
    if (role === 'system') return []
    const parts: readonly unknown[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content
    return parts.map(looseOf).flatMap(({ type, text, toolCallId }) => {
      if (type === 'tool-call' || type === 'tool-result') return [[type, toolCallId]]
      return type === 'text' && text !== '' ? [[type, text]] : []
    })
  })
  return JSON.stringify(said)
}
