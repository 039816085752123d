import { type Completion, type CompletionCall, type CompletionModel, ModelError } from '@palimpsest/core'

/** What a scripted model does in one call. */
export type ModelStep =
  /** Answers with this text. */
  | string
  /** Rejects with this error. */
  | Error
  /** Answers when the call is aborted, and never otherwise. */
  | typeof STALL
  /** Never answers, whatever happens to its signal: a provider that lost the connection. */
  | typeof DEAF
  | ((call: CompletionCall) => string | Completion)

export const STALL = Symbol('stall')
export const DEAF = Symbol('deaf')

/** A model that plays its script, one step a call, and repeats the last step for ever. */
export interface ScriptedModel extends CompletionModel {
  /** Every call so far. */
  readonly calls: readonly CompletionCall[]
}

/** What a good summariser might write about the conversations of this suite. */
export const PLAUSIBLE_SUMMARY =
  '## Goal\nThe ledger has to count in cents.\n\n## Progress\n### Done\n- Parts were read and one was mended.\n\n## Next Steps\n- Look at the rest.'

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
      return play(step, call)
    },
  }
}

async function play(step: ModelStep, call: CompletionCall): Promise<Completion> {
  if (step instanceof Error) throw step
  if (step === DEAF) return new Promise(() => {})
  if (step === STALL) return new Promise((_, reject) => whenAborted(call.signal, reject))
  const answer = typeof step === 'function' ? step(call) : (step as string)
  return typeof answer === 'string' ? { text: answer, finishReason: 'stop' } : answer
}

function whenAborted(signal: AbortSignal | undefined, reject: (reason: unknown) => void): void {
  signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
}
