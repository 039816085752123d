import { equalValues } from '@palimpsest/core'
import { type Instructions, jsonSchema, type ModelMessage, tool } from 'ai'
import { fromModelMessages } from '../messages/from-model-messages.ts'
import type {
  AiSdkContext,
  ContextEngineOptions,
  EngineTool,
  FinishedStep,
  HostTools,
  StepInput,
  StepOverride,
} from './context-engine-types.ts'
import { createModelConversation, type ModelConversation } from './model-conversation.ts'
import { createOverflowMiddleware } from './overflow-middleware.ts'

/**
 * Puts an engine to work for one conversation of `generateText`, `streamText` or a `ToolLoopAgent`. The application
 * keeps its whole transcript and sends it each turn; the model sees what the engine makes of it.
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
  /** Instructions that were returned carry forward: the application's own behind them. */
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
        // Between two calls the application may have changed its objects.
        { ...options, sameObjects: step.stepNumber > 0 },
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
 * Tells what the conversation really is, while the AI SDK carries on with what it was given instead. Messages that
 * `prepareStep` returned come back with the next step's behind them, so what is new stands behind what
 * was sent. When that is no longer the beginning, because other code changed it (a marker for a cache), the
 * conversation is put together from what the call was made with and what its steps brought.
 */
function createStepTranscript() {
  let whole: readonly ModelMessage[] = []
  let last: readonly ModelMessage[] | undefined
  return {
    /** The whole conversation up to a step, nothing of it compacted. */
    read(step: StepInput): readonly ModelMessage[] {
      const { messages, stepNumber } = step
      if (stepNumber === 0 || last === undefined) whole = messages
      else if (beginsWith(messages, last)) whole = [...whole, ...messages.slice(last.length)]
      else whole = reassemble(step)
      return whole
    },
    /** Remembers what the step was sent. */
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
  // Results of tools that the user approved stand before the first step.
  const approved = step.responseMessages.slice(0, step.responseMessages.length - answered)
  return [...step.initialMessages, ...approved, ...ofSteps, ...(step.experimental_steeringMessages ?? [])]
}
