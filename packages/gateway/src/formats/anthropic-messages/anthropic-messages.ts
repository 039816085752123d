import { looseOf } from '@palimpsest/core'
import { type GatewayFault, refusedFault } from '../../http/gateway-fault.ts'
import { parseJson } from '../../parse-json.ts'
import { eventType, type WireFormat } from '../wire-format.ts'
import { createBoundThinking } from './bound-thinking.ts'
import { readMessagesRequest } from './messages-request.ts'

/** Anthropic's Messages API. */
export function createAnthropicMessages(): WireFormat {
  const bound = createBoundThinking()
  return {
    name: 'anthropic-messages',
    path: '/messages',
    readRequest: (body, headers) => readMessagesRequest(body, headers, bound),
    readRefusal,
    refusalEvent,
    writeFault,
    eventName: eventType,
  }
}

/** The API's names for kinds of errors, by status. */
const TYPES: Readonly<Record<number, string>> = {
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  502: 'api_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

/** The most that is shown of a text that is not JSON, in characters. */
const MAX_TEXT = 10_000

function writeFault({ message, status, code }: GatewayFault): string {
  const error = { type: TYPES[status] ?? 'invalid_request_error', message, details: { error_code: code } }
  return JSON.stringify({ type: 'error', error })
}

function readRefusal(text: string, status: number): object {
  const { type, message } = looseOf(looseOf(parseJson(text)).error)
  return { status, code: type, message: typeof message === 'string' ? message : text.slice(0, MAX_TEXT) }
}

function refusalEvent(text: string, status: number): string {
  const body = looseOf(parseJson(text))
  if (body.type === 'error') return JSON.stringify(body)
  return writeFault(refusedFault(status))
}
