import { looseOf } from '@palimpsest/core'
import type { GatewayFault } from '../../http/gateway-fault.ts'
import { parseJson } from '../../parse-json.ts'
import { eventType } from '../event-type.ts'
import { createAdditions } from '../openai/additions.ts'
import { openAIRefusalBody, readOpenAIRefusal, writeOpenAIFault } from '../openai/openai-errors.ts'
import type { WireFormat } from '../wire-format.ts'
import { readResponsesRequest } from './responses-request.ts'

/** OpenAI's Responses API. */
export function createOpenAIResponses(): WireFormat {
  const additions = createAdditions()
  return {
    name: 'openai-responses',
    path: '/responses',
    list: 'input',
    readRequest: (body, headers) => readResponsesRequest(body, headers, additions),
    readRefusal: readOpenAIRefusal,
    refusalEvent: (text, status) => errorEvent(openAIRefusalBody(text, status)),
    writeFault: writeOpenAIFault,
    faultEvent: (fault: GatewayFault) => errorEvent(writeOpenAIFault(fault)),
    eventName: eventType,
  }
}

/** The members of an error stand beside it too: clients look in either place. */
function errorEvent(body: string): string {
  const { error } = looseOf(parseJson(body))
  const { code = null, message = String(error), param = null } = looseOf(error)
  return JSON.stringify({ type: 'error', code, message, param, error })
}
