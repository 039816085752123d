import { contextOverflow, type ModelErrorKind } from '@palimpsest/core'
import type { ApiFailure } from './api-failure.ts'
import type { OpenAiSettings } from './resolve-options.ts'
import { webPage } from './web-page.ts'

/** What kind of failure it was, and what to do. */
export interface Judgement {
  readonly kind: ModelErrorKind
  readonly advice: string
  /** The window that the server named, in tokens. */
  readonly contextLength?: number
}

/** Codes for content that is not answered: OpenAI, Azure. */
const contentCodes = /content_filter|content_policy|moderation|responsibleai|invalid_prompt/i

/** Codes for a rate or a spending limit, for failures in the middle of an answer, which have no status. */
const quotaCodes = /rate_limit|insufficient_quota/i

/** Judges what a server said. The order matters: a sentence about the window comes with many a status. */
export function judgeFailure(
  failure: ApiFailure,
  { server, model }: Pick<OpenAiSettings, 'server' | 'model'>,
): Judgement {
  const { status, message, codes } = failure
  const code = codes.find((one) => one === 'context_length_exceeded')
  // The numbers of a web page are no limits of a model.
  const said = webPage(message) === undefined ? message : ''
  const words = codes.join(' ')
  const overflow = contextOverflow({ message: said, status, code })
  if (overflow !== undefined)
    return {
      kind: 'context-overflow',
      advice: "the prompt does not fit into the model's window; send less",
      ...(overflow.limit === undefined ? {} : { contextLength: overflow.limit }),
    }
  if (contentCodes.test(words) || (status === 403 && /moderation|flagged/i.test(message)))
    return { kind: 'blocked', advice: `${server} refused the request for its content; change what is sent` }
  if (status === 401 || status === 403)
    return { kind: 'auth', advice: `${server} refused the key or the account; check apiKey` }
  // 402: no credit left. 413 that is not about the window is about a rate, at Groq.
  if (status === 429 || status === 402 || status === 413 || quotaCodes.test(words))
    return {
      kind: 'quota',
      advice: `a rate or spending limit of ${server} is reached; wait or raise the limit`,
    }
  // 408 and 504: the deadline of the server or of a gateway before it.
  if (status === 408 || status === 504)
    return { kind: 'timeout', advice: `${server} did not answer in time; try again or send less` }
  if (status >= 500)
    return { kind: 'overloaded', advice: `${server} is overloaded or failed; try again later` }
  if (status === 404 || status === 405)
    return { kind: 'invalid-request', advice: notFound(message, server, model) }
  if (status >= 400 || /invalid_request/i.test(words))
    return {
      kind: 'invalid-request',
      advice: `${server} did not accept the request; check the model name and what is sent`,
    }
  return { kind: 'overloaded', advice: `${server} failed while it answered; try again` }
}

/** Either the model is not there, or the address is not that of an API. */
function notFound(message: string, server: string, model: string): string {
  return /model/i.test(message) && webPage(message) === undefined
    ? `${server} has no model "${model}"; check the name`
    : `there is no Chat Completions API at ${server}; check baseUrl, which ends with the version, mostly /v1`
}
