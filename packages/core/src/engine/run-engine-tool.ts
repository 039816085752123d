import { errorText } from '../errors/errors.ts'

/** Characters of an error, and of a name in one. */
const ERROR_CHARACTERS = 1_000
const NAME_CHARACTERS = 100

export interface EngineToolRun<Handler> {
  readonly name: string
  readonly handlers: ReadonlyMap<string, Handler>
  /** Lets a handler answer, with JSON text. What it throws becomes the answer. */
  readonly run: (handler: Handler) => Promise<string>
  /** Longest answer, in characters. */
  readonly maxCharacters: number
  readonly signal: AbortSignal | undefined
}

/**
 * Runs a tool as `handleToolCall` must: the answer is JSON text of at most `maxCharacters`, `{"error": …}` of at most about
 * 1,000 characters for a tool that there is not, for what the handler throws and for an answer that is too long. Never
 * throws; rejects with `signal.reason` when it is aborted.
 */
export async function runEngineTool<Handler>(call: EngineToolRun<Handler>): Promise<string> {
  const { name, handlers, run, maxCharacters, signal } = call
  const handler = handlers.get(name)
  if (handler === undefined)
    return failure(
      `there is no tool ${String(name).slice(0, NAME_CHARACTERS)}; use ${[...handlers.keys()].join(', ')}`,
    )
  try {
    signal?.throwIfAborted()
    const answer = await run(handler)
    signal?.throwIfAborted()
    return answer.length <= maxCharacters
      ? answer
      : failure('the answer is too long; ask for less with "limit"')
  } catch (error) {
    signal?.throwIfAborted()
    return failure(errorText(error))
  }
}

function failure(message: string): string {
  return JSON.stringify({ error: message.slice(0, ERROR_CHARACTERS).toWellFormed() })
}
