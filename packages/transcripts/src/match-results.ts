import { type AssistantMessage, MISSING_RESULT_TEXT, type ToolCall, type ToolMessage } from '@palimpsest/core'
import type { ReadingLog } from './reading-log.ts'
import type { RecordedCompaction, RecordedItem, RecordedMessage } from './recorded-item.ts'
import { uniqueId } from './unique-id.ts'

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
