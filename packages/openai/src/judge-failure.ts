import { contextOverflow, type ModelErrorKind } from '@palimpsest/core'
import { kindOfStatus } from '@palimpsest/provider-utils'
import type { ApiFailure } from './api-failure.ts'
import type { OpenAiSettings } from './resolve-options.ts'
import { webPage } from './web-page.ts'

/** The kind of a failure, and the remedy. */
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

/** Groq's code for a tool call of the model that cannot be read. */
const unreadableCall = 'tool_use_failed'

/** The facts about the server and the request. */
type Asked = Pick<OpenAiSettings, 'server' | 'model' | 'client'>

/** Judges what a server said. The order matters: a sentence about the window comes with many a status. */
export function judgeFailure(failure: ApiFailure, asked: Asked): Judgement {
  const { status, message, codes } = failure
  const code = codes.find((one) => one === 'context_length_exceeded')
  // The numbers of a web page are no limits of a model.
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
  // In the middle of an answer there is no status.
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

/** Either the model is not there, or the address is not that of an API. Azure calls a model a deployment. */
function notFound(message: string, { server, model }: Asked): string {
  return /model|deployment/i.test(message) && webPage(message) === undefined
    ? `${server} has no model "${model}"; check the name`
    : `there is no Chat Completions API at ${server}; check baseUrl, which ends with the version, mostly /v1`
}
