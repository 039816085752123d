import { type Completion, type CompletionCall, type CompletionModel, ModelError } from '@palimpsest/core'
import { fixedTokenCounter } from './fixed-token-counter.ts'

/** Rejects with the signal's reason on an abort, and never settles otherwise. */
export const STALL = Symbol('stall')
/** Never settles, whatever happens to its signal, like a provider with a lost connection. */
export const DEAF = Symbol('deaf')

export type ModelAnswer = string | Completion | Error | typeof STALL | typeof DEAF

/** A scripted model's step for one call. A function decides by the call, and may be asynchronous. */
export type ModelStep = ModelAnswer | ((call: CompletionCall) => ModelAnswer | Promise<ModelAnswer>)

/** A model that plays its script, one step per call, and then repeats the last step. */
export interface ScriptedModel extends CompletionModel {
  /** Every call so far. */
  readonly calls: readonly CompletionCall[]
}

export const PLAUSIBLE_SUMMARY =
  '## Goal\nThe ledger has to count in cents.\n\n## Progress\n### Done\n- Parts were read and one was mended.\n\n## Next Steps\n- Look at the rest.'

/** `contextLength`: the window that the model states, in tokens; it does not refuse longer prompts. */
export function createScriptedModel(
  steps: readonly ModelStep[] = [PLAUSIBLE_SUMMARY],
  contextLength?: number,
): ScriptedModel {
  const calls: CompletionCall[] = []
  return {
    name: 'scripted',
    calls,
    ...(contextLength !== undefined && { contextLength }),
    async complete(call) {
      calls.push(call)
      call.signal?.throwIfAborted()
      const step = steps[Math.min(calls.length, steps.length) - 1] ?? new ModelError('unknown', 'no script')
      return play(typeof step === 'function' ? await step(call) : step, call.signal)
    },
  }
}

async function play(answer: ModelAnswer, signal: AbortSignal | undefined): Promise<Completion> {
  if (answer instanceof Error) throw answer
  if (answer === DEAF) return new Promise(() => {})
  if (answer === STALL) return untilAborted(signal)
  return typeof answer === 'string' ? { text: answer, finishReason: 'stop' } : answer
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/**
 * A model that refuses prompts longer than its window. `read`: the accepted prompts. `contextLength`: its window, in
 * tokens of the fixed counter.
 */
export function createNarrowModel(contextLength: number) {
  const read: string[] = []
  const tooLong = new ModelError('context-overflow', 'the prompt is too long', { contextLength })
  const model = createScriptedModel(
    [
      ({ system = '', prompt }) => {
        if (fixedTokenCounter.countText(system + prompt) > contextLength) return tooLong
        read.push(prompt)
        return PLAUSIBLE_SUMMARY
      },
    ],
    contextLength,
  )
  return { ...model, read }
}
