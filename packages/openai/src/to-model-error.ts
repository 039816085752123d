import { ModelError } from '@palimpsest/core'
import { type ConnectionFailure, connectionFailure, providerError } from '@palimpsest/provider-utils'
import { type ApiFailure, readApiFailure } from './api-failure.ts'
import { type Judgement, judgeFailure } from './judge-failure.ts'
import type { OpenAiSettings } from './resolve-options.ts'
import { webPage } from './web-page.ts'

/** The subject of an error: the model, its server, and the secrets that must not be in its text. */
export type ErrorContext = Pick<OpenAiSettings, 'client' | 'server' | 'model'>

/**
 * Any failure of a call as a `ModelError` with a sentence that says what to do, followed by what the server said.
 * Keys are removed from both and from the cause.
 */
export function toModelError(error: unknown, context: ErrorContext): ModelError {
  if (ModelError.isInstance(error)) return error
  const failure = readApiFailure(error)
  if (failure !== undefined) return failureError(failure, context, error)
  const judgement = judgeConnection(connectionFailure(error), context.server)
  return providerError({ ...judgement, said: sentences(error), cause: error }, context.client.secrets)
}

/** The same for a failure that stood in a body that the SDK took for an answer. */
export function failureError(failure: ApiFailure, context: ErrorContext, cause?: unknown): ModelError {
  const { message, retryAfterMs } = failure
  const said = webPage(message) ?? message
  return providerError(
    { ...judgeFailure(failure, context), said, cause, retryAfterMs },
    context.client.secrets,
  )
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

/** The remedy for a connection that brought no answer, or for an error that is not about a connection. */
function judgeConnection(failure: ConnectionFailure | undefined, server: string): Judgement {
  if (failure === undefined) return { kind: 'unknown', advice: `the call to ${server} failed` }
  if (failure.kind === 'timeout')
    return { kind: 'timeout', advice: `${server} did not answer in time; try again or send less` }
  const advice = {
    refused: `nothing answers at ${server}: is the server there running?`,
    'unknown-host': `the host name of ${server} is not known; check baseUrl and the network`,
    insecure: `no secure connection to ${server} came about; check baseUrl`,
    broken: `the connection to ${server} failed or broke; try again`,
  }
  return { kind: 'network', advice: advice[failure.reason] }
}
