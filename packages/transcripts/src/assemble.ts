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
 * Builds a valid sequence from recorded items: empty messages are dropped, results follow their calls, one system
 * message comes first, ids are unique. A message between a call and its result, such as a queued text, moves after the
 * result.
 *
 * @param keepsOrphans True keeps results without a call as user messages.
 */
export function assemble(items: readonly RecordedItem[], log: ReadingLog, keepsOrphans = false) {
  const entries: TranscriptEntry[] = []
  const nativeCompactions: NativeCompaction[] = []
  const ids = new Map<string, number>()
  const add = (item: RecordedMessage) => entries.push(entryOf(item, ids))

  for (const item of matchResults(withoutEmpty(items, log), log, keepsOrphans)) {
    if (item.kind === 'compaction') {
      const { line, summary, tokensBefore } = item
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

/** Leading system messages are joined into one. Later ones become user messages in their place. */
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
  return {
    ...head,
    content: [head, message].flatMap(({ content }) =>
      typeof content === 'string' ? [textPart(content)] : content,
    ),
  }
}

function asUser(message: SystemMessage | ToolMessage): UserMessage {
  const { tool_call_id: _, ...rest } = { tool_call_id: undefined, ...message }
  const providerData = { ...message.providerData, transcript: { recordedRole: message.role } }
  return { ...rest, role: 'user', providerData }
}

/**
 * True for a user message that was recorded as one, and not for a message of a system, host or other agent in the
 * user's role.
 */
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

/** One recorded line may contain several messages, and a host may repeat an id. */
function withUniqueId<M extends Message>(message: M, ids: Map<string, number>): M {
  if (message.id === undefined) return message
  const id = uniqueId(message.id, ids, (id, copy) => `${id}#${copy + 1}`)
  return id === message.id ? message : { ...message, id }
}

export const ABORTED_RESULT_TEXT = '[no result: the turn was aborted]'

export interface MatchedMessage extends RecordedMessage {
  readonly results: RecordedMessage[]
}

interface OpenCall {
  readonly owner: MatchedMessage
  readonly id: string
}

/**
 * Matches every tool result with its call: in the last earlier message with an unanswered call of its id, because ids
 * may be reused. Results without a call are skipped and counted; unanswered calls get a synthetic result. Linear.
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

/** Call ids must be unique; some endpoints repeat them, leave them empty, or start to count again. */
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
