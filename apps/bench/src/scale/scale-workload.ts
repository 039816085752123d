import { freezeMessage, type Message } from '@palimpsest/core'
import { plantSearchWords, SHORT_RESULTS, streamConversation } from '../workload/conversation.ts'

export const PRINCIPAL = 'bench'

export const RARE_WORD = 'zyqwortvex'
export const RARE_PART = 'qwortve'
export const RARE_CHINESE = '稀珀琥有'
export const RARE_PATTERN = 'token zyq[a-z]+vex was'
const RARE_SENTENCE = `The token ${RARE_WORD} was rotated: ${RARE_CHINESE}.`

/** Sessions of one length, so that stores of different sizes differ in their number alone. */
export type ScaleWorkload = { readonly seed: number; readonly sessions: number; readonly length: number }

/** Where a store is. */
export type StoreAddress = { readonly url: string; readonly schema: string }

export interface FilledStore extends StoreAddress {
  readonly workload: ScaleWorkload
  readonly messages: number
}

export function sessionKey(number: number): string {
  return `session-${String(number).padStart(7, '0')}`
}

/** The session that the rare message is in. */
export function rareSession({ sessions }: ScaleWorkload): number {
  return Math.floor(sessions / 2)
}

export function* sessionMessages(workload: ScaleWorkload, number: number): Generator<Message, undefined> {
  const { length } = workload
  let isDue = number === rareSession(workload)
  let seq = 0
  for (const message of conversation(seedOf(workload, number), length)) {
    const { role, content } = message
    if (isDue && seq++ >= length / 2 && role === 'user' && typeof content === 'string') {
      isDue = false
      yield freezeMessage({ role, content: `${content}\n${RARE_SENTENCE}` })
    } else yield message
  }
}

export function* laterMessages(
  { seed }: Pick<ScaleWorkload, 'seed'>,
  number: number,
): Generator<Message, undefined> {
  for (const message of conversation(seedOf({ seed }, number) + 1, Number.MAX_SAFE_INTEGER))
    if (message.role !== 'system') yield message
}

/** 2 KB a message, and a word that stands in two of five. */
function conversation(seed: number, messages: number): Generator<Message, undefined> {
  const stream = streamConversation({ seed, messages, results: SHORT_RESULTS })
  return plantSearchWords(stream.messages, { seed, messages })
}

const seedOf = ({ seed }: Pick<ScaleWorkload, 'seed'>, number: number): number =>
  seed * 1_000_003 + 2 * number
