import type { CompletionModel, Usage } from '../spec/v1/index.ts'

interface Answer {
  readonly usage?: Usage
}

/**
 * Wraps every call of a model, for example to add a time limit or to record costs.
 *
 * @param run Receives a function that makes the call, and the call's signal; it may pass another signal.
 */
export function aroundCalls(
  model: CompletionModel,
  run: <A extends Answer>(
    ask: (signal: AbortSignal | undefined) => Promise<A>,
    signal: AbortSignal | undefined,
  ) => Promise<A>,
): CompletionModel {
  const { complete, chat, compact } = model
  const wrapped =
    <Call extends { readonly signal?: AbortSignal }, A extends Answer>(method: (call: Call) => Promise<A>) =>
    ({ signal, ...call }: Call): Promise<A> =>
      run((given) => method({ ...call, ...(given && { signal: given }) } as Call), signal)
  return {
    ...model,
    complete: wrapped(complete),
    ...(chat && { chat: wrapped(chat) }),
    ...(compact && { compact: wrapped(compact) }),
  }
}
