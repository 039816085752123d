import { ModelError } from '@palimpsest/core'
import { type ApiFailure, readApiFailure } from './api-failure.ts'
import { connectionFailure } from './connection-failure.ts'
import { type Judgement, judgeFailure } from './judge-failure.ts'
import { redact, redactError } from './redact.ts'
import type { OpenAiSettings } from './resolve-options.ts'
import { webPage } from './web-page.ts'

/** How much of the server's own sentence a message repeats, in characters. */
const detailLength = 300

/** What an error is about: the model, where it is, and the secrets that its text must not have. */
export type ErrorContext = Pick<OpenAiSettings, 'client' | 'server' | 'model'>

/**
 * Any failure of a call as a `ModelError` with a sentence that says what to do, followed by what the server said.
 * Keys are removed from both and from the cause.
 */
export function toModelError(error: unknown, context: ErrorContext): ModelError {
  if (ModelError.isInstance(error)) return error
  const failure = readApiFailure(error)
  if (failure !== undefined) return failureError(failure, context, error)
  const judgement = connectionFailure(error, context.server) ?? {
    kind: 'unknown',
    advice: `the call to ${context.server} failed`,
  }
  return modelError(judgement, sentences(error), context, { cause: error })
}

/** The same for a failure that stood in a body that the SDK took for an answer. */
export function failureError(failure: ApiFailure, context: ErrorContext, cause?: unknown): ModelError {
  return modelError(judgeFailure(failure, context), failure.message, context, {
    ...(cause === undefined ? {} : { cause }),
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
  })
}

function modelError(
  { kind, advice, contextLength }: Judgement,
  said: string,
  { client: { secrets } }: ErrorContext,
  { cause, retryAfterMs }: { readonly cause?: unknown; readonly retryAfterMs?: number },
): ModelError {
  const text = redact(webPage(said) ?? said, secrets)
  const detail = text.replace(/\s+/g, ' ').trim().slice(0, detailLength)
  return new ModelError(kind, `${redact(advice, secrets)}: ${detail || 'no details'}`, {
    ...(cause === undefined ? {} : { cause: redactError(cause, secrets) }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(contextLength === undefined ? {} : { contextLength }),
  })
}

/** The SDK's message says only "Connection error."; its causes say which. */
function sentences(error: unknown): string {
  const said: string[] = []
  for (let at = error; at instanceof Error && said.length < 4; at = at.cause) {
    const { code } = at as { readonly code?: unknown }
    said.push(at.message || (typeof code === 'string' ? code : ''))
  }
  return said.length === 0 ? String(error) : said.filter(Boolean).join(' ')
}
