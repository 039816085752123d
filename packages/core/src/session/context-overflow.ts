import { ModelError } from '../errors/errors.ts'

export interface Overflow {
  readonly limit?: number
}

/**
 * The words of providers for a prompt that is too long (OpenAI, Azure, Anthropic, Google, Mistral, xAI, Groq,
 * llama.cpp, vLLM, TGI, Ollama, Bedrock, Copilot, Moonshot, Qwen, Zhipu).
 */
const TOO_LONG = [
  /context[_ ](?:length|window|limit)|maximum context|maximum (?:prompt|model) length|prompt exceeds max/i,
  /(?:prompt|input) is too long|too many (?:input )?tokens|(?:input|prompt) token count|input tokens exceed/i,
  /exceeds the (?:maximum number of tokens|available context)|exceeded model token limit|token limit exceeded/i,
  /inputs\W{1,3}tokens \+|range of input length|reduce the length of the (?:messages|prompt)|request[_ ]too[_ ]large/i,
]

/** Rate limit errors use similar words, but a shorter prompt does not help. */
const RATE = /per[ -]?(?:min(?:ute)?|day)\b|\bTP[DM]\b|rate limit|please wait/i

const ANSWER =
  /(?<=tokens\W? (?:is|are) too large: )\d{1,12}|\b\d{1,12}(?= (?:in|for) the (?:completion|output)| .?max_new_tokens)/

const LIMITS = [
  /\d(?: tokens?)?\s{0,3}>\s{0,3}(\d[\d,]{2,11})/,
  /(\d[\d,]{2,11})(?: tokens?)? maximum/i,
  /(?:maximum|max allowed|limit(?! \(2013\))|context size|must be <=|length should be \[\d,)\D{0,60}?(\d[\d,]{2,11})/i,
]

const MAX_DEPTH = 5

/**
 * Recognises a context-length error: a `ModelError`, or an SDK's error by code, HTTP status 413 or message, including
 * nested `cause` and `error`. Undefined for any other error.
 */
export function contextOverflow(error: unknown): Overflow | undefined {
  return findOverflow(error, MAX_DEPTH)
}

function findOverflow(error: unknown, depth: number): Overflow | undefined {
  if (typeof error !== 'object' || error === null || depth === 0) return undefined
  if (ModelError.isInstance(error) && error.kind === 'context-overflow')
    return overflow(error.contextLength ?? statedLimit(error.message))
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
    const isTooLong =
      code === 'context_length_exceeded' || status === 413 || TOO_LONG.some((words) => words.test(text))
    if (isTooLong && !RATE.test(text)) {
      const limit = statedLimit(text)
      const answer = ANSWER.exec(text)?.[0]
      // A shorter prompt makes room for the answer, unless the answer alone exceeds the limit.
      if (answer === undefined || Number(answer) < (limit ?? 0)) return overflow(limit)
    }
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
