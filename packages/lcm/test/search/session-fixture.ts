import { type Message, roughTokenCounter, type StoredSession, type Summary } from '@palimpsest/core'
import { memoryStore } from '../memory-store.ts'

/** When the first message of a fixture was stored; each further batch comes a second later. */
export const START = Date.UTC(2026, 0, 31, 12)

/** A session in memory with these messages, each stored a second after the one before. */
export async function sessionOf(messages: readonly Message[], key = 'chat'): Promise<StoredSession> {
  const session = await memoryStore().session({ key }, START)
  await append(session, messages)
  return session
}

/** Stores messages one by one, a second apart. */
export async function append(session: StoredSession, messages: readonly Message[]): Promise<void> {
  let { nextSeq } = await session.head()
  for (const message of messages) {
    await session.append({ nextSeq, messages: [entry(message)], at: START + nextSeq * 1000 })
    nextSeq++
  }
}

/** Replaces all messages from `from` on by others. */
export async function replaceFrom(
  session: StoredSession,
  from: number,
  messages: readonly Message[],
): Promise<void> {
  const { nextSeq } = await session.head()
  const at = START + nextSeq * 1000
  await session.append({ nextSeq, messages: messages.map(entry), at, replaceFrom: from })
}

export const entry = (message: Message) => ({ message, tokens: roughTokenCounter.countMessage(message) })

/** A leaf over messages, or a summary over children. */
export function summary(
  fields: Pick<Summary, 'number' | 'first' | 'last' | 'text'> & Partial<Summary>,
): Summary {
  return {
    depth: 0,
    children: [],
    messages: fields.last - fields.first + 1,
    tokens: roughTokenCounter.countText(fields.text),
    sourceTokens: 1000,
    writer: 'extractive',
    at: START,
    from: START + fields.first * 1000,
    to: START + fields.last * 1000,
    ...fields,
  }
}

/** Makes `numbers` the frontier after adding nodes. */
export async function commit(
  session: StoredSession,
  create: readonly Summary[],
  numbers: readonly number[],
): Promise<void> {
  const { version } = await session.head()
  await session.commit({ version, create, summaries: numbers, reason: 'compaction', at: START })
}

export function user(content: string): Message {
  return { role: 'user', content }
}

export function assistant(content: string): Message {
  return { role: 'assistant', content }
}

/** A clock that stands still. */
export const clock = { now: () => START }
