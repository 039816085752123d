import {
  contentParts,
  copyValue,
  equalValues,
  freezeMessage,
  hasReasoning,
  isBridge,
  isSpoken,
  isSummary,
  type Message,
  messageText,
  type TokenCounter,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import type { ViewMessage } from './session-view.ts'

export type MessageTable = ReturnType<typeof createMessageTable>

export function createMessageTable(tokens: TokenCounter) {
  const rows: ViewMessage[] = []
  const sources: Message[] = []
  const shown = new Map<string, number[]>()

  const add = (
    message: Message,
    kind: ViewMessage['kind'],
    seq: number | null,
    at: number | null,
  ): number => {
    const said = toViewMessage(message)
    const count = tokens.countMessage(message)
    rows.push({ ...said, kind, tokens: count, seq, ...(at !== null && { at }) })
    sources.push(message)
    return rows.length - 1
  }

  return {
    rows: rows as readonly ViewMessage[],
    source(row: number): Message {
      const message = sources[row]
      if (message === undefined) throw new RangeError(`there is no message ${row} in the view`)
      return message
    },
    /** Adds what was said at a place of the transcript. */
    say: add,
    /** True when the row reads the same as a message and is as large: what differs is nothing that a page shows. */
    reads(row: number, message: Message): boolean {
      const known = rows[row]
      if (known === undefined) return false
      if (equalValues(sources[row], message)) return true
      const { kind: _, tokens: size, seq: __, at: ___, ...said } = known
      return size === tokens.countMessage(message) && equalValues(said, toViewMessage(message))
    },
    settle(row: number, message: Message): void {
      sources[row] = message
    },
    /** The row of what an engine shows: a known one unless it is `taken`. `seq`: the message that it is a version of, or null. */
    show(
      message: Message,
      kind: ViewMessage['kind'],
      seq: number | null,
      at: number | null,
      taken: ReadonlySet<number>,
    ): number {
      const text = messageText(message)
      const known = shown.get(text) ?? []
      const free = known.find((row) => {
        if (rows[row]?.seq !== seq || rows[row].kind !== kind || taken.has(row)) return false
        return equalValues(sources[row], message)
      })
      if (free !== undefined) return free
      const row = add(freezeMessage(copyValue(message)), kind, seq, at)
      known.push(row)
      shown.set(text, known)
      return row
    },
  }
}

/** Everything of a `ViewMessage` that a message says itself. */
type SaidMessage = Pick<
  ViewMessage,
  'role' | 'text' | 'calls' | 'isInserted' | 'callId' | 'isError' | 'reasoning' | 'attachments'
>

const TEXT_PARTS: ReadonlySet<unknown> = new Set(['text', 'refusal'])

const PART_NAMES: Readonly<Record<string, string>> = {
  image_url: 'image',
  input_audio: 'audio',
  thinking: 'reasoning',
  redacted_thinking: 'reasoning',
}

const ROLES: readonly ViewMessage['role'][] = ['system', 'developer', 'user', 'assistant', 'tool']

/** A message as the page shows it. A host may have sent anything: what has no known role is shown as a tool's. */
export function toViewMessage(message: Message): SaidMessage {
  const calls = toolCallsOf(message).map((call) => ({
    id: textOf(call.id),
    name: toolCallName(call),
    arguments: toolCallInput(call),
  }))
  const attachments = attachmentsOf(message)
  const text = messageText(message)
  const reasoning = reasoningOf(message)
  return {
    role: ROLES.find((role) => role === message.role) ?? 'tool',
    text,
    ...(calls.length > 0 && { calls }),
    ...(isInserted(message) && { isInserted: true as const }),
    ...(message.role === 'tool' && { callId: textOf(message.tool_call_id) }),
    ...(message.role === 'tool' && isFailure(message, text) && { isError: true as const }),
    ...(reasoning !== '' && { reasoning }),
    ...(attachments.length > 0 && { attachments }),
  }
}

function attachmentsOf(message: Message): string[] {
  const parts = contentParts(message)
    .filter(({ type }) => !TEXT_PARTS.has(type))
    .map(({ type }) => PART_NAMES[textOf(type)] ?? textOf(type))
  return hasReasoning(message) && !parts.includes('reasoning') ? ['reasoning', ...parts] : parts
}

/** By the mark of a recording, or by its text. */
function isInserted(message: Message): boolean {
  if (message.role !== 'user' || isSummary(message) || isBridge(message)) return false
  return fieldOf(message.providerData?.transcript, 'recordedRole') !== undefined || !isSpoken(message)
}

/** A recording's own mark, or the form that errors of this project's tools have. */
function isFailure({ providerData }: Message, text: string): boolean {
  return fieldOf(providerData?.transcript, 'isError') === true || text.startsWith('{"error"')
}

/** In the order in which providers' messages have them; blocks that are encrypted have no text. */
function reasoningOf(message: Message): string {
  if (message.role !== 'assistant') return ''
  const parts = contentParts(message).filter(
    ({ type }) => PART_NAMES[textOf(type)] === 'reasoning' || type === 'reasoning',
  )
  const fields = ['reasoning', 'reasoning_content', 'thinking'].map((name) => fieldOf(message, name))
  const kept = Object.values(message.providerData ?? {}).map((data) => fieldOf(data, 'reasoning'))
  return [...parts, ...fields, fieldOf(message, 'reasoning_details'), ...kept]
    .flatMap(reasoningTexts)
    .join('\n\n')
}

function reasoningTexts(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(reasoningTexts)
  if (typeof value !== 'object' || value === null) return []
  return ['thinking', 'text', 'summary'].map((name) => fieldOf(value, name)).flatMap(reasoningTexts)
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
