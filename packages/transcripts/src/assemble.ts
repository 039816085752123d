import {
  type AssistantMessage,
  isInstruction,
  type Message,
  MISSING_RESULT_TEXT,
  messageText,
  type SystemMessage,
  type ToolCall,
  type ToolMessage,
  type UserMessage,
} from '@palimpsest/core'
import { textPart, userMessage } from './build-message.ts'
import type { ReadingLog, RecordedCompaction, RecordedItem, RecordedMessage } from './recorded-item.ts'
import type { NativeCompaction, TranscriptEntry } from './transcript.ts'

/**
 * Makes the valid sequence that a host would send of what a format's reader found: empty messages dropped,
 * results behind their calls, one system message in front, ids unique. Whatever was between a call and its
 * result, such as a text that the user queued, comes after the result.
 *
 * @param keepsOrphans Results without their call become messages in the user's role instead of being left out.
 */
export function assemble(items: readonly RecordedItem[], log: ReadingLog, keepsOrphans = false) {
  const entries: TranscriptEntry[] = []
  const nativeCompactions: NativeCompaction[] = []
  const ids = new Map<string, number>()
  const add = (item: RecordedMessage) => entries.push(entryOf(item, ids))

  for (const item of matchResults(withoutEmpty(items, log), log, keepsOrphans)) {
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

function asUser(message: SystemMessage | ToolMessage): UserMessage {
  const { tool_call_id: _, ...rest } = { tool_call_id: undefined, ...message }
  const providerData = { ...message.providerData, transcript: { recordedRole: message.role } }
  return { ...rest, role: 'user', providerData }
}

/** True for a message in the user's role that was recorded in it: false for what a system, a host or another agent said in a user's place. */
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

/** The result of a call whose turn was cut off before it ran. */
export const ABORTED_RESULT_TEXT = '[no result: the turn was aborted]'

/** A message that is no tool result, with the results of its calls. */
export interface MatchedMessage extends RecordedMessage {
  readonly results: RecordedMessage[]
}

interface OpenCall {
  readonly owner: MatchedMessage
  /** The id that the call has in the transcript; the recorded one unless that was taken. */
  readonly id: string
}

/**
 * Hangs every tool result on the call that it answers: of the last message before it that has an unanswered call of
 * its id, because ids may come again. Results without such a call are skipped and counted; unanswered calls get a
 * synthetic result, so that a provider accepts the sequence. Linear.
 */
export function matchResults(
  items: readonly RecordedItem[],
  log: ReadingLog,
  keepsOrphans = false,
): (MatchedMessage | RecordedCompaction)[] {
  const matched: (MatchedMessage | RecordedCompaction)[] = []
  const open = new Map<string, OpenCall[]>()
  const ids = new Map<string, number>()
  for (const item of items) {
    if (item.kind === 'compaction') {
      matched.push(item)
    } else if (item.message.role === 'tool') {
      const call = takeCall(open, item.message.tool_call_id)
      if (call === undefined) {
        const known = open.has(item.message.tool_call_id)
        log.breaks(item.line, known ? 'second result for a tool call' : 'tool result without a call')
        if (keepsOrphans) matched.push({ ...item, message: asUser(item.message), results: [] })
        continue
      }
      const isSame = call.id === item.message.tool_call_id
      call.owner.results.push(
        isSame ? item : { ...item, message: { ...item.message, tool_call_id: call.id } },
      )
    } else {
      const owner: MatchedMessage = { ...item, message: withDistinctCalls(item, ids), results: [] }
      matched.push(owner)
      callsOf(owner).forEach((call, index) => {
        const recordedId = callsOf(item)[index]?.id ?? call.id
        const calls = open.get(recordedId) ?? []
        open.set(recordedId, calls)
        calls.push({ owner, id: call.id })
      })
    }
  }
  answerOpenCalls(matched)
  return matched
}

/** The first unanswered call of this id in the last message that has one. */
function takeCall(open: Map<string, OpenCall[]>, recordedId: string): OpenCall | undefined {
  const calls = open.get(recordedId)
  const last = calls?.at(-1)
  if (calls === undefined || last === undefined) return undefined
  const [call] = calls.splice(
    calls.findIndex(({ owner }) => owner === last.owner),
    1,
  )
  return call
}

/** Every call needs its own id; some endpoints give all of a message the same or an empty one, or count anew. */
function withDistinctCalls(item: RecordedMessage, ids: Map<string, number>): RecordedMessage['message'] {
  const { message } = item
  if (message.role !== 'assistant') return message
  const calls = callsOf(item).map((call) => {
    const id = uniqueId(call.id || `call_${item.line}`, ids, (id, copy) => `${id}_${copy}`)
    return id === call.id ? call : { ...call, id }
  })
  const isSame = calls.every((call, index) => call === message.tool_calls?.[index])
  return isSame ? message : ({ ...message, tool_calls: calls } satisfies AssistantMessage)
}

function callsOf({ message }: RecordedMessage): readonly ToolCall[] {
  return message.role === 'assistant' ? (message.tool_calls ?? []) : []
}

function answerOpenCalls(matched: readonly (MatchedMessage | RecordedCompaction)[]): void {
  const last = matched.findLast((item) => item.kind === 'message')
  for (const item of matched) {
    if (item.kind === 'compaction') continue
    const answered = new Set(
      item.results.map(({ message }) => message.role === 'tool' && message.tool_call_id),
    )
    // At the end of the file a call may just not have been answered yet. Anywhere else it never will be.
    const text = item === last && item.aborted !== true ? MISSING_RESULT_TEXT : ABORTED_RESULT_TEXT
    for (const { id } of callsOf(item)) {
      if (!answered.has(id)) item.results.push(syntheticResult(item, id, text))
    }
  }
}

function syntheticResult({ line, timestamp }: MatchedMessage, callId: string, text: string): RecordedMessage {
  const message: ToolMessage = {
    role: 'tool',
    tool_call_id: callId,
    content: text,
    providerData: { transcript: { synthetic: true } },
  }
  return { kind: 'message', message, line, timestamp }
}

/** This id, or the name of its next copy. `ids` counts the copies of each id so far; one that was given out stays as it is. */
export function uniqueId(
  id: string,
  ids: Map<string, number>,
  nameCopy: (id: string, copy: number) => string,
): string {
  let copy = ids.get(id)
  if (copy === undefined) {
    ids.set(id, 0)
    return id
  }
  let unique: string
  do unique = nameCopy(id, ++copy)
  while (ids.has(unique))
  ids.set(id, copy).set(unique, 0)
  return unique
}
