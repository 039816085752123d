import { contextOverflow, ModelError, type ModelErrorKind } from '@palimpsest/core'
import {
  type ConnectionFailure,
  connectionFailure,
  kindOfStatus,
  providerError,
} from '@palimpsest/provider-utils'
import { type ApiFailure, readApiFailure, webPage } from './api-failure.ts'
import type { OpenAiSettings } from './resolve-options.ts'

export type ErrorContext = Pick<OpenAiSettings, 'client' | 'server' | 'model'>

/**
 * Makes a `ModelError` that says what to do, followed by the server's message. Keys are removed from both and from the
 * cause.
 */
export function toModelError(error: unknown, context: ErrorContext): ModelError {
  if (ModelError.isInstance(error)) return error
  const failure = readApiFailure(error)
  if (failure !== undefined) return failureError(failure, context, error)
  const judgement = judgeConnection(connectionFailure(error), context.server)
  return providerError({ ...judgement, said: sentences(error), cause: error }, context.client.secrets)
}

export function failureError(failure: ApiFailure, context: ErrorContext, cause?: unknown): ModelError {
  const { message, retryAfterMs } = failure
  const said = webPage(message) ?? message
  return providerError(
    { ...judgeFailure(failure, context), said, cause, retryAfterMs },
    context.client.secrets,
  )
}

/** The SDK's message is only "Connection error."; its causes have the details. */
function sentences(error: unknown): string {
  const said: string[] = []
  for (let at = error; at instanceof Error && said.length < 4; at = at.cause) {
    const { code } = at as { readonly code?: unknown }
    said.push(at.message || (typeof code === 'string' ? code : ''))
  }
  return said.length === 0 ? String(error) : said.filter(Boolean).join(' ')
}

function judgeConnection(failure: ConnectionFailure | undefined, server: string): Judgement {
  if (failure === undefined) return { kind: 'unknown', advice: `the call to ${server} failed` }
  if (failure.kind === 'timeout')
    return { kind: 'timeout', advice: `${server} did not answer in time; try again or send less` }
  const advice = {
    refused: `nothing answers at ${server}: is the server there running?`,
    'unknown-host': `the host name of ${server} is not known; check baseUrl and the network`,
    insecure: `no secure connection to ${server} came about; check baseUrl`,
    broken: `the connection to ${server} failed or broke; check baseUrl, or try again`,
  }
  return { kind: 'network', advice: advice[failure.reason] }
}

interface Judgement {
  readonly kind: ModelErrorKind
  readonly advice: string
  readonly contextLength?: number
}

const contentCodes = /content_filter|content_policy|moderation|responsibleai|invalid_prompt/i

/** Codes of rate and spending limits, for failures within an answer, which have no status. */
const quotaCodes = /rate_limit|insufficient_quota/i

/** Groq's code for an unparsable tool call of the model. */
const unreadableCall = 'tool_use_failed'

type Asked = Pick<OpenAiSettings, 'server' | 'model' | 'client'>

/** The order matters: a message about the window comes with various statuses. */
function judgeFailure(failure: ApiFailure, asked: Asked): Judgement {
  const { status, message, codes } = failure
  const code = codes.find((one) => one === 'context_length_exceeded')
  // Numbers in a web page are not limits of a model.
  const said = webPage(message) === undefined ? message : ''
  const overflow = contextOverflow({ message: said, status, code })
  if (overflow !== undefined)
    return {
      kind: 'context-overflow',
      advice: "the prompt does not fit into the model's window; send less",
      ...(overflow.limit === undefined ? {} : { contextLength: overflow.limit }),
    }
  const kind = kindOf(failure)
  return {
    kind,
    advice: status === 404 || status === 405 ? notFound(message, asked) : adviceFor(kind, asked),
  }
}

function kindOf({ status, message, codes }: ApiFailure): ModelErrorKind {
  const words = codes.join(' ')
  if (contentCodes.test(words) || (status === 403 && /moderation|flagged/i.test(message))) return 'blocked'
  if (codes.includes(unreadableCall)) return 'empty'
  const kind = kindOfStatus(status)
  if (kind !== 'auth' && quotaCodes.test(words)) return 'quota'
  if (kind !== 'unknown') return kind
  return /invalid_request/i.test(words) ? 'invalid-request' : 'overloaded'
}

function adviceFor(kind: ModelErrorKind, { server, client }: Asked): string {
  switch (kind) {
    case 'blocked':
      return `${server} refused the request for its content; change what is sent`
    case 'empty':
      return 'the model wrote a tool call that cannot be read; try again'
    case 'auth':
      return client.hasKey
        ? `${server} refused the key or the account; check apiKey`
        : `${server} wants a key; pass apiKey`
    case 'quota':
      return `a rate or spending limit of ${server} is reached; wait or raise the limit`
    case 'timeout':
      return `${server} did not answer in time; try again or send less`
    case 'overloaded':
      return `${server} is overloaded or failed; try again later`
    default:
      return `${server} did not accept the request; check the model name and what is sent`
  }
}

/** The model does not exist, or the address is not an API's. Azure calls a model a deployment. */
function notFound(message: string, { server, model }: Asked): string {
  return /model|deployment/i.test(message) && webPage(message) === undefined
    ? `${server} has no model "${model}"; check the name`
    : `there is no Chat Completions API at ${server}; check baseUrl, which ends with the version, mostly /v1`
}
