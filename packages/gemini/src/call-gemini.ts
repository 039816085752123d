import type {
  Content,
  GenerateContentConfig,
  GenerateContentResponse,
  ThinkingConfig,
  ThinkingLevel,
} from '@google/genai'
import { ModelError, type ToolSchema } from '@palimpsest/core'
import { wellFormed, withDeadline } from '@palimpsest/provider-utils'
import { type Answer, addToAnswer } from './answer.ts'
import { thinks } from './model-traits.ts'
import { GEMINI_DEFAULTS, type GeminiThinking } from './options.ts'
import type { GeminiSettings } from './resolve-options.ts'
import { toModelError } from './to-model-error.ts'

export interface GeminiCall {
  /** Builds the request. Called once, and not at all when the signal is aborted already. */
  readonly request: () => GeminiRequest
  readonly signal?: AbortSignal | undefined
  /** Gets the text piece by piece; with it, the answer is streamed. */
  readonly onText?: ((text: string) => void) | undefined
}

/**
 * Sends one request and returns the whole answer. Rejects with `signal.reason` when aborted, else with a
 * `ModelError`; an error of `onText` comes through. Nothing is tried twice, the SDK's automatic continuation
 * included: the error's kind and `retryAfterMs` let the caller decide.
 */
export function callGemini(settings: GeminiSettings, call: GeminiCall): Promise<Answer> {
  const { signal, onText } = call
  return withDeadline({ signal, timeoutMs: settings.timeoutMs }, async (ended) => {
    const { contents, ...rest } = wellFormed(call.request())
    const config: GenerateContentConfig = {
      ...generationConfig(settings, rest),
      abortSignal: ended,
      automaticContinuation: false,
    }
    const { models } = await mapped(settings, settings.client.get())
    ended.throwIfAborted()
    const params = { model: settings.model, contents, config }
    const answer: Answer = { parts: [] }
    if (onText === undefined) {
      addToAnswer(answer, await mapped(settings, models.generateContent(params)))
      return answer
    }
    for await (const chunk of chunksOf(settings, models.generateContentStream(params))) {
      const text = addToAnswer(answer, chunk)
      ended.throwIfAborted()
      if (text !== '') onText(text)
    }
    // The last chunk always says why it is the last, unless the connection was closed before it.
    if (answer.finishReason === undefined && answer.blockReason === undefined)
      throw new ModelError('network', 'the connection to Gemini ended before the answer did; try again')
    return answer
  })
}

/** The chunks of a stream, with its errors mapped, but not those of whoever reads the chunks. */
async function* chunksOf(
  settings: GeminiSettings,
  opened: Promise<AsyncIterable<GenerateContentResponse>>,
): AsyncGenerator<GenerateContentResponse> {
  try {
    yield* await opened
  } catch (error) {
    throw toModelError(error, settings)
  }
}

function mapped<T>(settings: GeminiSettings, promise: Promise<T>): Promise<T> {
  return promise.catch((error: unknown) => {
    throw toModelError(error, settings)
  })
}

/** Everything of a request but its contents, in the SDK's shape. */
function generationConfig(
  { model, thinking }: GeminiSettings,
  { systemInstruction, tools, maxOutputTokens }: Omit<GeminiRequest, 'contents'>,
): GenerateContentConfig {
  const thinkingConfig = toThinkingConfig(thinking)
  return {
    ...(systemInstruction === undefined ? {} : { systemInstruction }),
    ...toolDeclarations(tools),
    ...(maxOutputTokens === undefined
      ? {}
      : { maxOutputTokens: outputLimit(maxOutputTokens, model, thinking) }),
    ...(Object.keys(thinkingConfig).length === 0 ? {} : { thinkingConfig }),
  }
}

/** The limit that leaves room for the answer: thinking is counted against it. */
function outputLimit(answerTokens: number, model: string, { budgetTokens = -1 }: GeminiThinking): number {
  if (!thinks(model)) return answerTokens
  const allowance = budgetTokens < 0 ? GEMINI_DEFAULTS.thinkingAllowanceTokens : budgetTokens
  return Math.max(answerTokens, Math.min(answerTokens + allowance, GEMINI_DEFAULTS.outputCeilingTokens))
}

function toThinkingConfig({ budgetTokens, level, summaries }: GeminiThinking): ThinkingConfig {
  return {
    ...(budgetTokens === undefined ? {} : { thinkingBudget: budgetTokens }),
    ...(level === undefined ? {} : { thinkingLevel: level.toUpperCase() as ThinkingLevel }),
    ...(summaries === undefined ? {} : { includeThoughts: summaries }),
  }
}

/** Tools as function declarations. Their JSON Schema goes through unchanged, as `parametersJsonSchema`. */
function toolDeclarations(tools: readonly ToolSchema[] = []): Pick<GenerateContentConfig, 'tools'> {
  if (tools.length === 0) return {}
  const functionDeclarations = tools.map(({ function: { name, description, parameters } }) => ({
    name,
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { parametersJsonSchema: parameters }),
  }))
  return { tools: [{ functionDeclarations }] }
}

/** The request of one call, without the model's options. */
interface GeminiRequest {
  readonly contents: Content[]
  readonly systemInstruction?: Content
  readonly tools?: readonly ToolSchema[] | undefined
  /** Upper bound for the answer alone, in tokens. */
  readonly maxOutputTokens?: number | undefined
}
