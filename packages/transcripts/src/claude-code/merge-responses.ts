import { assistantMessage, systemMessage, userMessage } from '../build-message.ts'
import type { ReadingLog } from '../reading-log.ts'
import type { RecordedItem, RecordedMessage } from '../recorded-item.ts'
import type { AnswerLine, ClaudeLine, QueuedLine, UserLine } from './claude-line.ts'

/**
 * One assistant message per response. Claude Code writes each content block as a line of its own as soon as it is
 * complete, and runs tools meanwhile, so that results stand between the blocks. Lines with the same message and
 * request id are one response; without a request id, only neighbouring lines, because some proxies give every message
 * the same id.
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
    // Ids are unique within a response: the same one again is the same call, written twice.
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
    // Every line repeats the usage of its response; in newer versions only the last one has the final counts.
    usage: lines.findLast(({ usage }) => usage !== undefined)?.usage,
    model: lines.find(({ model }) => model !== undefined)?.model,
  }
}

/** The items of a user line, in sending order: the results of the calls before it, then the user's text. */
function userItems({ turn, line, uuid, timestamp }: UserLine | QueuedLine): RecordedMessage[] {
  const messages: RecordedMessage['message'][] = [...turn.results]
  if (turn.parts.length > 0 || turn.results.length === 0) messages.push(userMessage(turn.parts, uuid))
  return messages.map((message) => ({ kind: 'message', message, line, timestamp }))
}
