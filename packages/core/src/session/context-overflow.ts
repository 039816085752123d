import { ModelError } from '../errors/model-error.ts'

/** What a provider said when a prompt was too long. */
export interface Overflow {
  /** The limit that the provider named, in tokens. */
  readonly limit?: number
}

/**
 * How providers say that a prompt is too long (OpenAI, Anthropic, Google, Mistral, xAI, Groq, llama.cpp, vLLM,
 * Ollama, Bedrock). Errors about the length of the *answer* are not among them.
 */
const PHRASES =
  /context[_ ](?:length|window)|maximum context|prompt is too long|input is too long|too many (?:input )?tokens|input token count|exceeds the (?:maximum number of tokens|available context)|maximum prompt length|reduce the length of the (?:messages|prompt)|request[_ ]too[_ ]large|token limit exceeded/i

const ANSWER_PHRASES = /max_tokens|max_completion_tokens|maxOutputTokens|output limit/i

/**
 * Recognises a context-length error: our own `ModelError`, or the error of an SDK, by code, HTTP status 413 or
 * message, also when it stands behind `cause`. Undefined for every other error.
 */
export function contextOverflow(error: unknown): Overflow | undefined {
  for (
    let current: unknown = error, depth = 0;
    typeof current === 'object' && current !== null && depth < 5;
    depth++
  ) {
    const { message, code, status, cause } = current as Record<string, unknown>
    if (ModelError.isInstance(current)) {
      if (current.kind === 'context-overflow')
        return limit(current.contextLength ?? statedLimit(current.message))
    } else {
      const text = typeof message === 'string' ? message : ''
      const isOverflow = code === 'context_length_exceeded' || status === 413 || PHRASES.test(text)
      if (isOverflow && !(ANSWER_PHRASES.test(text) && !/prompt|input|messages/i.test(text)))
        return limit(statedLimit(text))
    }
    current = cause
  }
  return undefined
}

function limit(tokens: number | undefined): Overflow {
  return tokens === undefined ? {} : { limit: tokens }
}

/** The limit in messages such as "maximum context length is 128000 tokens" or "213462 tokens > 200000 maximum". */
function statedLimit(text: string): number | undefined {
  const match =
    /(?:maximum|max(?:imum)? allowed|limit)\D{0,60}?(\d[\d,]{3,9})/i.exec(text) ??
    />\s{0,3}(\d[\d,]{3,9})\s{0,3}maximum/i.exec(text)
  const tokens = Number(match?.[1]?.replaceAll(',', ''))
  return Number.isInteger(tokens) && tokens > 0 ? tokens : undefined
}
