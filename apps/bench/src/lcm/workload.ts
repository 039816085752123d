import type { Message } from '@palimpsest/core'
import { LONG_RESULTS, streamConversation } from '../workload/conversation.ts'
import type { Needle } from '../workload/needles.ts'
import { plantSearchWords } from '../workload/search-words.ts'

export interface LcmWorkload {
  readonly messages: Iterable<Message>
  /** Facts that stand in exactly one message each. */
  readonly needles: readonly Needle[]
}

/** Facts in a long conversation: 100 in user messages, 100 in tool results. */
const NEEDLES = 200

/** The conversation that everything here is measured with, streamed: a million messages are 3.5 GB. */
export function lcmWorkload(seed: number, messages: number): LcmWorkload {
  const needles = Math.min(NEEDLES, Math.floor(messages / 15))
  const stream = streamConversation({ seed, messages, needles, results: LONG_RESULTS })
  return { messages: plantSearchWords(stream.messages, { seed, messages }), needles: stream.needles }
}

/** Lists of `size` messages, the last one shorter. */
export function* inBatches(messages: Iterable<Message>, size: number): Generator<Message[], undefined> {
  let batch: Message[] = []
  for (const message of messages) {
    batch.push(message)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** One list for each turn: from a user message to the one before the next. The system prompt goes with the first. */
export function* inTurns(messages: Iterable<Message>): Generator<Message[], undefined> {
  let turn: Message[] = []
  for (const message of messages) {
    if (message.role === 'user' && turn.some(({ role }) => role === 'user')) {
      yield turn
      turn = []
    }
    turn.push(message)
  }
  if (turn.length > 0) yield turn
}
