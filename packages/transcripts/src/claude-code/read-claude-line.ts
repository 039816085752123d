import { isObject, type Loose, looseOf, messageText, type TextPart, type Usage } from '@palimpsest/core'
import {
  type AnthropicUserTurn,
  anthropicAnswer,
  anthropicParts,
  anthropicUserTurn,
} from '../anthropic/anthropic-blocks.ts'
import type { AnswerBlocks } from '../build-message.ts'
import { assistantMessage, systemMessage, userMessage } from '../build-message.ts'
import { kindName, nameOf, quote, timestampOf } from '../json.ts'
import type { ReadingLog, RecordedCompaction, RecordedItem, RecordedMessage } from '../recorded-item.ts'
import { apiUsage } from '../usage.ts'

export function readClaudeLine(value: Loose, line: number, log: ReadingLog): ClaudeLine | undefined {
  const base = { line, uuid: nameOf(value.uuid), timestamp: timestampOf(value.timestamp) }
  switch (value.type) {
    case 'user':
    case 'assistant':
      return readMessage(value, base, log)
    case 'system':
      if (value.subtype === 'compact_boundary') return boundary(value, base)
      return log.skip(`system ${kindName(value.subtype)} event`)
    case 'attachment': {
      const attachment = looseOf(value.attachment)
      if (attachment.type === 'queued_command') {
        const turn = { results: [], parts: anthropicParts(attachment.prompt) }
        return { ...base, kind: 'queued', turn, above: nameOf(value.parentUuid) }
      }
      return log.skip(`${kindName(attachment.type)} attachment`)
    }
    default:
      return log.skip(`${kindName(value.type)} event`)
  }
}

function boundary(value: Loose, base: LineBase): ClaudeLine {
  const tokens = looseOf(value.compactMetadata).preTokens
  const tokensBefore = typeof tokens === 'number' ? tokens : undefined
  return { ...base, kind: 'compaction', item: { kind: 'compaction', line: base.line, tokensBefore } }
}

function readMessage(value: Loose, base: LineBase, log: ReadingLog): ClaudeLine | undefined {
  const { message } = value
  if (!isObject(message)) return log.reject(base.line, 'a line without a message')
  if (message.role !== value.type) return log.reject(base.line, `unknown role ${quote(message.role)}`)
  const notSent = reasonNotSent(value, message)
  if (notSent !== undefined) return log.skip(notSent)
  if (value.type === 'assistant') {
    return {
      ...base,
      kind: 'answer',
      answer: anthropicAnswer(message.content),
      messageId: nameOf(message.id),
      requestId: nameOf(value.requestId),
      usage: apiUsage(message.usage),
      model: nameOf(message.model),
    }
  }
  if (value.isCompactSummary === true) {
    const summary = messageText(userMessage(anthropicParts(message.content)))
    return { ...base, kind: 'compaction', item: { kind: 'compaction', line: base.line, summary } }
  }
  const isMeta = value.isMeta === true
  return { ...base, kind: 'user', isMeta, turn: anthropicUserTurn(message.content, base.uuid) }
}

function reasonNotSent(value: Loose, message: Loose): string | undefined {
  if (value.isApiErrorMessage === true) return 'API error message'
  return message.model === '<synthetic>' ? 'answer made by the host' : undefined
}

/**
 * Merges the lines of each response. Claude Code writes a line per content block as soon as the block is complete, with
 * tool results in between. Lines with the same message and request id are one response; without a request id, only
 * adjacent lines are, because some proxies give every message the same id.
 */
export function mergeResponses(lines: readonly ClaudeLine[], log: ReadingLog): RecordedItem[] {
  const items: (RecordedItem | AnswerLine[])[] = []
  const responses = new Map<string, AnswerLine[]>()
  let previous: AnswerLine[] | undefined
  for (const line of lines) {
    if (line.kind === 'answer') {
      const key = line.requestId && line.messageId && `${line.messageId} ${line.requestId}`
      const response = key ? responses.get(key) : sameMessage(previous, line)
      if (response !== undefined) {
        response.push(line)
        continue
      }
      previous = [line]
      if (key) responses.set(key, previous)
      items.push(previous)
    } else {
      previous = undefined
      if (line.kind === 'compaction') items.push(line.item)
      else if (line.kind === 'sent')
        items.push({ kind: 'message', message: systemMessage('system', line.parts), line: line.line })
      else items.push(...userItems(line))
    }
  }
  return items.map((item) => (Array.isArray(item) ? merge(item, log) : item))
}

function sameMessage(
  previous: AnswerLine[] | undefined,
  { messageId }: AnswerLine,
): AnswerLine[] | undefined {
  return messageId !== undefined && previous?.[0]?.messageId === messageId ? previous : undefined
}

function merge(lines: readonly AnswerLine[], log: ReadingLog): RecordedMessage {
  const calls = new Map<string, AnswerLine['answer']['calls'][number]>()
  for (const call of lines.flatMap(({ answer }) => answer.calls)) {
    if (call.id !== '' && calls.has(call.id)) log.skip('repeated tool call')
    else calls.set(call.id === '' ? `\n${calls.size}` : call.id, call)
  }
  const [first] = lines
  const message = assistantMessage({
    parts: lines.flatMap(({ answer }) => answer.parts),
    calls: [...calls.values()],
    reasoning: lines.flatMap(({ answer }) => answer.reasoning),
    provider: 'anthropic',
    id: first?.messageId ?? first?.uuid,
  })
  return {
    kind: 'message',
    message,
    line: first?.line ?? 0,
    timestamp: first?.timestamp,
    usage: lines.findLast(({ usage }) => usage !== undefined)?.usage,
    model: lines.find(({ model }) => model !== undefined)?.model,
  }
}

function userItems(said: UserLine | QueuedLine): RecordedMessage[] {
  const { turn, line, uuid, timestamp } = said
  const messages: RecordedMessage['message'][] = [...turn.results]
  const message = userMessage(turn.parts, uuid)
  const isHost = said.kind === 'user' && said.isMeta
  const providerData = { transcript: { recordedRole: 'host' } }
  if (turn.parts.length > 0 || turn.results.length === 0)
    messages.push(isHost ? { ...message, providerData } : message)
  return messages.map((message) => ({ kind: 'message', message, line, timestamp }))
}

export interface LineBase {
  readonly line: number
  readonly uuid: string | undefined
  readonly timestamp: number | undefined
}

export interface AnswerLine extends LineBase {
  readonly kind: 'answer'
  readonly answer: AnswerBlocks
  readonly messageId: string | undefined
  /** Identifies the response together with `messageId`. Absent with some proxies. */
  readonly requestId: string | undefined
  readonly usage: Usage | undefined
  readonly model: string | undefined
}

export interface UserLine extends LineBase {
  readonly kind: 'user'
  readonly turn: AnthropicUserTurn
  readonly isMeta: boolean
}

/** Input that the user or the host queued while the model worked, delivered between two requests of a turn. */
export interface QueuedLine extends LineBase {
  readonly kind: 'queued'
  readonly turn: AnthropicUserTurn
  readonly above: string | undefined
}

export interface CompactionLine extends LineBase {
  readonly kind: 'compaction'
  readonly item: RecordedCompaction
}

export interface SentLine extends LineBase {
  readonly kind: 'sent'
  readonly parts: readonly TextPart[]
}

export type ClaudeLine = AnswerLine | UserLine | QueuedLine | CompactionLine | SentLine
