import { randomBytes, randomUUID } from 'node:crypto'
import {
  type ContentPart,
  isObject,
  type Loose,
  looseOf,
  type Message,
  messageText,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { toAnthropicRequest } from '@palimpsest/prompt-caching'

interface NewSession {
  readonly id: string
  readonly endsAt: number
}

/**
 * Messages as chained rows of Claude Code.
 *
 * @param last The original's last row, for folder, version and branch.
 */
export function claudeRows(
  messages: readonly Message[],
  last: Loose,
  { id: sessionId, endsAt }: NewSession,
): object[] {
  const { messages: sent } = toAnthropicRequest({ messages })
  const { cwd, version, gitBranch, model = 'claude' } = last
  let parentUuid: string | null = null
  return sent.map(({ role, content }, at) => {
    const uuid: string = randomUUID()
    const timestamp = new Date(endsAt - sent.length + at).toISOString()
    const base = { parentUuid, isSidechain: false, userType: 'external', cwd, sessionId, version, gitBranch }
    parentUuid = uuid
    if (role !== 'assistant')
      return { ...base, type: 'user', message: { role: 'user', content }, uuid, timestamp }
    const stop_reason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'
    const usage = { input_tokens: 0, output_tokens: 0 }
    const answer = { id: `msg_${uuid.replaceAll('-', '')}`, type: 'message', role, model, content }
    const message = { ...answer, stop_reason, stop_sequence: null, usage }
    return { ...base, type: 'assistant', requestId: `req_${uuid}`, message, uuid, timestamp }
  })
}

/**
 * Messages as a rollout of Codex.
 *
 * @param header The payload of the original's first row, kept except for ids and the history mode.
 * @param context The original's last row about a turn: its model and permissions.
 */
export function codexRows(
  messages: readonly Message[],
  { header, context }: { readonly header: Loose; readonly context: Loose | undefined },
  { id, endsAt }: NewSession,
): object[] {
  const { history_base: _, history_mode: __, forked_from_id: ___, ...kept } = header
  const timestamp = new Date(endsAt).toISOString()
  const payload = { ...kept, id, timestamp, ...('session_id' in kept && { session_id: id }) }
  return [
    { timestamp, type: 'session_meta', payload },
    ...(context === undefined ? [] : [{ ...context, timestamp, ordinal: undefined }]),
    ...messages.flatMap((message) => [
      ...responseItems(message).map((item) => ({ timestamp, type: 'response_item', payload: item })),
      ...(message.role === 'user'
        ? [
            {
              timestamp,
              type: 'event_msg',
              payload: { type: 'user_message', message: messageText(message), images: [] },
            },
          ]
        : []),
    ]),
  ]
}

function responseItems(message: Message): object[] {
  if (message.role === 'tool') {
    const output = Array.isArray(message.content) ? message.content.map(inputPart) : message.content
    return [{ type: 'function_call_output', call_id: message.tool_call_id, output }]
  }
  if (message.role !== 'assistant') return [said('user', partsOf(message).map(inputPart))]
  const { reasoning } = looseOf(message.providerData?.openai)
  const thoughts = Array.isArray(reasoning)
    ? reasoning.filter((item) => isObject(item) && item.encrypted_content)
    : []
  const text = messageText(message)
  return [
    ...thoughts,
    ...(text === '' ? [] : [said('assistant', [{ type: 'output_text', text }])]),
    ...toolCallsOf(message).map((call) => ({
      type: 'function_call',
      name: toolCallName(call),
      arguments:
        call.type === 'custom' ? JSON.stringify({ input: toolCallInput(call) }) : toolCallInput(call),
      call_id: call.id,
    })),
  ]
}

function said(role: 'user' | 'assistant', content: readonly object[]): object {
  return { type: 'message', role, content }
}

function partsOf({ content }: Message): readonly ContentPart[] {
  return Array.isArray(content) ? content : [{ type: 'text', text: String(content) }]
}

function inputPart(part: ContentPart): object {
  const { type, text, image_url: image } = looseOf(part)
  if (type === 'text') return { type: 'input_text', text }
  if (type === 'image_url') return { type: 'input_image', image_url: looseOf(image).url }
  return { type: 'input_text', text: JSON.stringify(part) }
}

export function timedId(now: number): string {
  const hex = `${now.toString(16).padStart(12, '0')}7${randomBytes(10).toString('hex').slice(1)}`
  const variant = `8${hex.slice(17, 20)}`
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), variant, hex.slice(20, 32)].join('-')
}
