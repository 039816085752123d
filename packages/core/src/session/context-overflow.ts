import { ModelError } from '../errors/model-error.ts'

/** A provider's answer to a prompt that was too long. */
export interface Overflow {
  readonly limit?: number
}

/**
 * The words of providers for a prompt that is too long (OpenAI, Anthropic, Google, Mistral, xAI, Groq, llama.cpp,
 * vLLM, Ollama, Bedrock).
 */
const TOO_LONG =
  /context[_ ](?:length|window|limit)|maximum context|(?:prompt|input) is too long|too many (?:input )?tokens|input token count|exceeds the (?:maximum number of tokens|available context)|maximum prompt length|reduce the length of the (?:messages|prompt)|request[_ ]too[_ ]large|token limit exceeded/i

/** Errors that sound alike and that a shorter prompt does not help: the length of the answer, and rates. */
const SOMETHING_ELSE =
  /max_(?:completion_)?tokens['"`]?(?: or ['"`]?max_completion_tokens['"`]?)? (?:is|are) too large|per[ -]?min(?:ute)?\b|\bTPM\b|rate limit/i

/** Where the limit stands in such a message, the most telling first. */
const LIMITS = [
  /\d(?: tokens?)?\s{0,3}>\s{0,3}(\d[\d,]{2,11})/,
  /(\d[\d,]{2,11})(?: tokens?)? maximum/i,
  /(?:maximum|max allowed|limit|context size)\D{0,60}?(\d[\d,]{2,11})/i,
]

const MAX_DEPTH = 5

/**
 * Recognises a context-length error: our own `ModelError`, or the error of an SDK, by code, HTTP status 413 or
 * message, also when it stands behind `cause` or `error`. Undefined for every other error.
 */
export function contextOverflow(error: unknown): Overflow | undefined {
  return findOverflow(error, MAX_DEPTH)
}

function findOverflow(error: unknown, depth: number): Overflow | undefined {
  if (typeof error !== 'object' || error === null || depth === 0) return undefined
  if (ModelError.isInstance(error) && error.kind === 'context-overflow')
    return overflow(error.contextLength ?? statedLimit(error.message))
  // The AI SDK calls the status `statusCode`.
  const {
    message,
    code,
    statusCode,
    status = statusCode,
    cause,
    error: inner,
  } = error as Record<string, unknown>
  if (!ModelError.isInstance(error)) {
    const text = typeof message === 'string' ? message : ''
    const isTooLong = code === 'context_length_exceeded' || status === 413 || TOO_LONG.test(text)
    if (isTooLong && !SOMETHING_ELSE.test(text)) return overflow(statedLimit(text))
  }
  return findOverflow(cause, depth - 1) ?? findOverflow(inner, depth - 1)
}

function overflow(limit: number | undefined): Overflow {
  return limit === undefined ? {} : { limit }
}

/** The limit in messages such as "maximum context length is 128000 tokens" or "213462 tokens > 200000 maximum". */
function statedLimit(text: string): number | undefined {
  for (const pattern of LIMITS) {
    const tokens = Number(pattern.exec(text)?.[1]?.replaceAll(',', ''))
    if (Number.isInteger(tokens) && tokens > 0) return tokens
  }
  return undefined
}
