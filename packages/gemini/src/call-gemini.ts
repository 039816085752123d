import type {
  Content,
  GenerateContentConfig,
  GenerateContentResponse,
  ThinkingConfig,
  ThinkingLevel,
} from '@google/genai'
import { isObject, ModelError, type ModelErrorKind, type ToolSchema } from '@palimpsest/core'
import {
  connectionFailure,
  kindOfStatus,
  providerError,
  retryAfterMs,
  wellFormed,
  withDeadline,
} from '@palimpsest/provider-utils'
import { type Answer, addToAnswer } from './answer.ts'
import { thinks } from './model-traits.ts'
import { GEMINI_DEFAULTS, type GeminiThinking } from './options.ts'
import type { GeminiSettings } from './settings.ts'

export interface GeminiCall {
  readonly request: () => GeminiRequest
  readonly signal?: AbortSignal | undefined
  readonly onText?: ((text: string) => void) | undefined
}

/**
 * Sends one request and returns the whole answer. Rejects with `signal.reason` on an abort, else with a `ModelError`;
 * errors of `onText` pass through. Never retries, not even by the SDK's automatic continuation: the error's kind and
 * `retryAfterMs` let the caller decide.
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
    // The last chunk has a finish reason, unless the connection was closed before.
    if (answer.finishReason === undefined && answer.blockReason === undefined)
      throw new ModelError('network', 'the connection to Gemini ended before the answer did; try again')
    return answer
  })
}

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

function toolDeclarations(tools: readonly ToolSchema[] = []): Pick<GenerateContentConfig, 'tools'> {
  if (tools.length === 0) return {}
  const functionDeclarations = tools.map(({ function: { name, description, parameters } }) => ({
    name,
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { parametersJsonSchema: parameters }),
  }))
  return { tools: [{ functionDeclarations }] }
}

interface GeminiRequest {
  readonly contents: Content[]
  readonly systemInstruction?: Content
  readonly tools?: readonly ToolSchema[] | undefined
  readonly maxOutputTokens?: number | undefined
}

const advice: Readonly<Partial<Record<ModelErrorKind, string>>> = {
  auth: 'Gemini refused the key or the account; check the key (GEMINI_API_KEY in most applications) and its project',
  quota: 'a rate or spending limit of Gemini is reached; wait or raise the limit',
  overloaded: 'Gemini is overloaded or failed; try again later',
  network: 'Gemini was not reached or the connection broke; check the network and try again',
  timeout: 'Gemini did not answer in time; try again or send less',
  'context-overflow': "the prompt does not fit into the model's window; send less",
  'invalid-request': 'Gemini did not accept the request; check the model name and what is sent',
}

/**
 * Makes a `ModelError` that says what to do, followed by the service's message. Keys are removed from both and from the
 * cause.
 */
export function toModelError(error: unknown, { client }: Pick<GeminiSettings, 'client'>): ModelError {
  if (ModelError.isInstance(error)) return error
  const failure = readApiFailure(error)
  const kind = failure === undefined ? (connectionFailure(error)?.kind ?? 'unknown') : kindOf(failure)
  const said = failure?.message ?? (error instanceof Error ? error.message : String(error))
  return providerError(
    {
      kind,
      advice: advice[kind] ?? 'the call to Gemini failed',
      said,
      cause: error,
      retryAfterMs: failure?.retryAfterMs,
      contextLength: kind === 'context-overflow' ? windowIn(said) : undefined,
    },
    client.secrets,
  )
}

function kindOf({ status, name, message, reasons }: ApiFailure): ModelErrorKind {
  if (name === 'RESOURCE_EXHAUSTED') return 'quota'
  // Too many bytes, with the same remedy as too many tokens.
  if (status === 413) return 'context-overflow'
  const kind = kindOfStatus(status)
  if (kind !== 'invalid-request') return kind
  // A wrong key is a 400 here; so is a country or a project without billing.
  if (reasons.some((reason) => reason.startsWith('API_KEY'))) return 'auth'
  if (/api[ _]key (?:not valid|expired)/i.test(message) || name === 'FAILED_PRECONDITION') return 'auth'
  return /token count.{0,200}exceeds|input token.{0,200}up to|payload size exceeds/is.test(message)
    ? 'context-overflow'
    : kind
}

/**
 * Reads "The input token count (1300000) exceeds the maximum number of tokens allowed (1048576)." The first number is
 * sometimes missing, and the second then has no parentheses.
 */
function windowIn(message: string): number | undefined {
  const digits = /(?:tokens allowed|up to)\s*\(?(\d+)/i.exec(message)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

interface ApiFailure {
  readonly status: number
  readonly name: string
  readonly message: string
  readonly reasons: readonly string[]
  readonly retryAfterMs?: number
}

/**
 * Reads the SDK's `ApiError`: its status, and the JSON body in its message. Detected by its shape, because several
 * copies of the SDK may be installed. Undefined for every other error.
 */
function readApiFailure(error: unknown): ApiFailure | undefined {
  if (!(error instanceof Error)) return undefined
  const { status } = error as { readonly status?: unknown }
  if (typeof status !== 'number') return undefined
  const body = innermost(error.message)
  const details = (Array.isArray(body.details) ? body.details : []).filter(isObject)
  const message = typeof body.message === 'string' ? body.message : error.message
  const stated = details.map((detail) => durationMs(detail.retryDelay)).find(Number.isFinite)
  const delay = stated ?? retryAfterMs({ message })
  return {
    status,
    name: typeof body.status === 'string' ? body.status : '',
    message,
    reasons: details.map((detail) => String(detail.reason ?? '')),
    ...(delay === undefined ? {} : { retryAfterMs: delay }),
  }
}

/** Bodies come bare, in an array, after a prefix, and as text within another body. */
function innermost(text: string): Record<string, unknown> {
  const start = text.search(/[[{]/)
  if (start < 0) return {}
  try {
    const parsed: unknown = JSON.parse(text.slice(start))
    const body: unknown = Array.isArray(parsed) ? parsed[0] : parsed
    const error = isObject(body) ? body.error : undefined
    if (!isObject(error)) return {}
    const inner = typeof error.message === 'string' ? innermost(error.message) : {}
    return typeof inner.message === 'string' ? inner : error
  } catch {
    return {}
  }
}

function durationMs(duration: unknown): number | undefined {
  const seconds = typeof duration === 'string' ? /^([\d.]+)s$/.exec(duration)?.[1] : undefined
  const ms = seconds === undefined ? Number.NaN : Math.ceil(Number(seconds) * 1000)
  return Number.isFinite(ms) ? ms : undefined
}
