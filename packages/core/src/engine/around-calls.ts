import type { CompletionModel, Usage } from '../spec/v1/index.ts'

interface Answer {
  readonly usage?: Usage
}

/**
 * The same model, with something done around each of its calls, whichever kind: a limit of time, an account.
 *
 * @param run gets a function that asks, and the signal of the call; it may ask with another signal.
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
