import type { Message } from '@palimpsest/core'
import { whole } from '../report/section.ts'
import type { RowInput } from '../speed/time.ts'
import { LONG_RESULTS, type Needle, plantSearchWords, streamConversation } from '../workload/conversation.ts'

export const SESSION = { principal: 'local', key: 'bench' }
/** Another one in the same file, older and always of the same size: what it costs must not depend on its neighbour. */
export const NEIGHBOUR = { principal: 'local', key: 'neighbour' }

/** 2026-01-01T00:00:00Z; the messages came one second apart. */
export const START = 1_767_225_600_000
export const timeOf = (seq: number): number => START + seq * 1000

type LcmWorkload = { readonly messages: Iterable<Message>; readonly needles: readonly Needle[] }

/** Facts in a long conversation: 100 in user messages, 100 in tool results. */
const NEEDLES = 200

/** The conversation that everything here is measured with, streamed: a million messages are 3.5 GB. */
export function lcmWorkload(seed: number, messages: number): LcmWorkload {
  const needles = Math.min(NEEDLES, Math.floor(messages / 15))
  const stream = streamConversation({ seed, messages, needles, results: LONG_RESULTS })
  return { messages: plantSearchWords(stream.messages, { seed, messages }), needles: stream.needles }
}

export function* inBatches<T>(values: Iterable<T>, size: number): Generator<T[], undefined> {
  let batch: T[] = []
  for (const value of values) {
    batch.push(value)
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

export type StoreFile = { readonly path: string; readonly messages: number }

export type MeasureInput = StoreFile & { readonly seed: number }

/** Growth up to here counts as flat: a B-tree gets deeper, and its upper pages leave the caches. */
const FLAT = 1.5

export function growthRow(
  operation: string,
  large: Pick<StoreFile, 'messages'>,
  small: Pick<StoreFile, 'messages'>,
  isJudged = true,
): RowInput {
  return {
    operation: `growth, ${operation}`,
    messages: large.messages,
    against: `the same at ${whole(small.messages)}`,
    ...(isJudged && { target: FLAT }),
  }
}
