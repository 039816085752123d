import { abortable, type CompletionModel, redactSecrets } from '@palimpsest/core'
import { withoutThinking } from '@palimpsest/summaries'

/** Longest answer that is read, in characters: more than a model writes at once. */
const MAX_ANSWER = 8_000_000

export interface JsonRequest {
  readonly model: CompletionModel
  readonly system: string
  readonly prompt: string
  readonly signal: AbortSignal | undefined
}

/**
 * Asks a model for JSON. Secrets are hidden in what it is told and in what it answers. Undefined when the answer holds no
 * JSON. Rejects with what the model rejects with, and on abort with the signal's reason.
 */
export async function askForJson({ model, system, prompt, signal }: JsonRequest): Promise<unknown> {
  signal?.throwIfAborted()
  const call = { system, prompt: redactSecrets(prompt), ...(signal && { signal }) }
  const { text } = await abortable(model.complete(call), signal)
  return typeof text === 'string' && text.length <= MAX_ANSWER ? readJson(withoutThinking(text)) : undefined
}

/** The JSON of an answer, which may stand in a fence or between sentences. */
function readJson(answer: string): unknown {
  const text = redactSecrets(answer)
  const starts = [text.indexOf('{'), text.indexOf('[')].filter((start) => start >= 0).sort((a, b) => a - b)
  for (const start of starts) {
    const end = text.lastIndexOf(text[start] === '{' ? '}' : ']')
    const value = parse(text.slice(start, end + 1))
    if (value !== undefined) return value
  }
  return undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The list of an answer: under a key, or the answer itself. Undefined when there is none. */
export function listOf(answer: unknown, key: string): readonly unknown[] | undefined {
  if (Array.isArray(answer)) return answer
  if (typeof answer !== 'object' || answer === null || !Object.hasOwn(answer, key)) return undefined
  const list = (answer as Record<string, unknown>)[key]
  return Array.isArray(list) ? list : undefined
}
