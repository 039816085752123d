import { looseOf } from '@palimpsest/core'
import { GatewayFault } from '../../http/gateway-fault.ts'
import { parseJson } from '../../parse-json.ts'
import type { WireFormat } from '../wire-format.ts'
import { createAdditions } from './additions.ts'
import { readChatRequest } from './chat-request.ts'

/** OpenAI's chat completions, as OpenAI and the many servers that speak it have them. */
export function createOpenAIChat(): WireFormat {
  const additions = createAdditions()
  return {
    name: 'openai-chat',
    path: '/chat/completions',
    readRequest: (text) => readChatRequest(text, additions),
    readRefusal,
    readWindows,
    refusalEvent,
    writeFault,
    eventName: () => undefined,
  }
}

/** Names of a model's window in the lists of servers: OpenRouter, vLLM, Groq, Mistral and LM Studio, LiteLLM. */
const FIELDS = ['context_length', 'max_model_len', 'context_window', 'max_context_length', 'max_input_tokens']
/** Below this, in tokens, a number is no window of a chat model. */
const LEAST_WINDOW = 256

function readWindows(list: unknown): ReadonlyMap<string, number> {
  const { data } = looseOf(list)
  const windows = new Map<string, number>()
  for (const entry of Array.isArray(data) ? data : []) {
    const model = looseOf(entry)
    const found = FIELDS.map((field) => model[field]).find(isWindow)
    if (typeof model.id === 'string' && isWindow(found)) windows.set(model.id, found)
  }
  return windows
}

function isWindow(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= LEAST_WINDOW
}

/** OpenAI's names for kinds of errors, by status, where it has one. */
const TYPES: Readonly<Record<number, string>> = {
  409: 'conflict_error',
  429: 'rate_limit_error',
  500: 'server_error',
  502: 'upstream_error',
  503: 'server_error',
  504: 'upstream_error',
}

/** The most that is shown of a text that is not JSON, in characters. */
const MAX_TEXT = 10_000

function writeFault({ message, status, code, param }: GatewayFault): string {
  return JSON.stringify({ error: { message, type: TYPES[status] ?? 'invalid_request_error', code, param } })
}

function readRefusal(text: string, status: number): object {
  const body = looseOf(parseJson(text))
  const error = looseOf(body.error)
  const message = [error.message, body.message, body.error, body.detail].find(
    (value) => typeof value === 'string',
  )
  return { status, code: error.code ?? body.code, message: message ?? text.slice(0, MAX_TEXT) }
}

function refusalEvent(text: string, status: number): string {
  const body = looseOf(parseJson(text))
  if (body.error !== undefined) return JSON.stringify(body)
  const message = `the upstream answered with status ${status}`
  return writeFault(new GatewayFault(502, 'upstream_error', message))
}
