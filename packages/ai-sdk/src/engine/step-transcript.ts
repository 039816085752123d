import type { ModelMessage } from 'ai'
import type { StepInput } from './context-engine-types.ts'

/** Tells what the conversation really is, while the AI SDK carries on with what it was given instead. */
export interface StepTranscript {
  /** The whole conversation up to a step, nothing of it compacted. */
  read(step: StepInput): readonly ModelMessage[]
  /** Remembers what the step was sent. */
  sent(messages: readonly ModelMessage[]): void
}

/**
 * Messages that `prepareStep` returned come back with the next step's behind them, so what is new stands behind what
 * was sent. When that is no longer the beginning, because other code changed it (a marker for a cache), the
 * conversation is put together from what the call was made with and what its steps brought.
 */
export function createStepTranscript(): StepTranscript {
  let whole: readonly ModelMessage[] = []
  let last: readonly ModelMessage[] | undefined
  return {
    read(step) {
      const { messages, stepNumber } = step
      if (stepNumber === 0 || last === undefined) whole = messages
      else if (beginsWith(messages, last)) whole = [...whole, ...messages.slice(last.length)]
      else whole = reassemble(step)
      return whole
    },
    sent(messages) {
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
