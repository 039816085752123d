import {
  isInstruction,
  type Message,
  messageText,
  type SystemMessage,
  type UserMessage,
} from '@palimpsest/core'
import { textPart, userMessage } from './build-message.ts'
import { matchResults } from './match-results.ts'
import type { ReadingLog } from './reading-log.ts'
import type { RecordedItem, RecordedMessage } from './recorded-item.ts'
import type { NativeCompaction, TranscriptEntry } from './transcript.ts'
import { uniqueId } from './unique-id.ts'

/**
 * Makes the valid sequence that a host would send of what a format's reader found: empty messages dropped,
 * results behind their calls, one system message in front, ids unique. Whatever was between a call and its
 * result, such as a text that the user queued, comes after the result.
 */
export function assemble(items: readonly RecordedItem[], log: ReadingLog) {
  const entries: TranscriptEntry[] = []
  const nativeCompactions: NativeCompaction[] = []
  const ids = new Map<string, number>()
  const add = (item: RecordedMessage) => entries.push(entryOf(item, ids))

  for (const item of matchResults(withoutEmpty(items, log), log)) {
    if (item.kind === 'compaction') {
      const { line, summary, tokensBefore } = item
      // Of a session that goes on from another file, the summary is all that this file says about the past.
      if (entries.length === 0 && summary !== undefined) {
        add({ kind: 'message', line, message: userMessage([textPart(summary)]) })
      }
      nativeCompactions.push({
        beforeEntry: entries.length,
        ...(summary !== undefined && { summary }),
        ...(tokensBefore !== undefined && { tokensBefore }),
      })
    } else if (isInstruction(item.message)) {
      addInstruction(entries, item, item.message, add, log)
    } else {
      add(item)
      item.results.forEach(add)
    }
  }
  return { entries, nativeCompactions }
}

function withoutEmpty(items: readonly RecordedItem[], log: ReadingLog): RecordedItem[] {
  return items.filter((item) => {
    if (item.kind === 'compaction' || !isEmpty(item.message)) return true
    const what = item.aborted
      ? 'aborted turn without content'
      : `${item.message.role} message without content`
    log.skip(what)
    return false
  })
}

function isEmpty(message: Message): boolean {
  if (message.role === 'tool') return false
  if (message.role !== 'assistant') return message.content.length === 0
  if ((message.tool_calls?.length ?? 0) > 0 || 'audio' in message) return false
  const textOnly =
    !Array.isArray(message.content) ||
    message.content.every(({ type }) => type === 'text' || type === 'refusal')
  return textOnly && messageText(message).trim() === ''
}

/**
 * System messages in front become one, because hosts that send several mean one prompt. One that comes later
 * is kept in its place as a user message: only the first may be a system message.
 */
function addInstruction(
  entries: TranscriptEntry[],
  item: RecordedMessage,
  message: SystemMessage,
  add: (item: RecordedMessage) => void,
  log: ReadingLog,
): void {
  const [head] = entries
  if (head === undefined) {
    add(item)
  } else if (isInstruction(head.message) && messageText(head.message) === messageText(message)) {
    log.skip('repeated system message')
  } else if (isInstruction(head.message) && entries.length === 1) {
    entries[0] = { ...head, message: joined(head.message, message) }
  } else {
    add({ ...item, message: asUser(message) })
  }
}

function joined(head: SystemMessage, message: SystemMessage): SystemMessage {
  if (typeof head.content === 'string' && typeof message.content === 'string') {
    return { ...head, content: `${head.content}\n\n${message.content}` }
  }
  return { ...head, content: [head, message].flatMap(({ content }) => toParts(content)) }
}

function toParts(content: SystemMessage['content']) {
  return typeof content === 'string' ? [textPart(content)] : content
}

function asUser(message: SystemMessage): UserMessage {
  const providerData = { ...message.providerData, transcript: { recordedRole: message.role } }
  return { ...message, role: 'user', providerData }
}

/** True for a message in the user's role that was recorded in it: false for a system message that stands in a user's place. */
export function isRecordedUser(message: Message): boolean {
  const mark = message.providerData?.transcript as { recordedRole?: unknown } | undefined
  return message.role === 'user' && mark?.recordedRole === undefined
}

function entryOf(
  { message, line, usage, timestamp, model }: RecordedMessage,
  ids: Map<string, number>,
): TranscriptEntry {
  return {
    message: withUniqueId(message, ids),
    line,
    ...(usage !== undefined && { usage }),
    ...(timestamp !== undefined && { timestamp }),
    ...(model !== undefined && { model }),
  }
}

/** One recorded line may hold several messages, and a host may repeat an id. */
function withUniqueId<M extends Message>(message: M, ids: Map<string, number>): M {
  if (message.id === undefined) return message
  const id = uniqueId(message.id, ids, (id, copy) => `${id}#${copy + 1}`)
  return id === message.id ? message : { ...message, id }
}
