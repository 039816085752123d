import type { Message } from '@palimpsest/core'
import { AT, texts } from '@palimpsest/sqlite-kit/store-suite'
import { encodeMessage } from '../../messages/encode-message.ts'
import type { EncodedMessage, LcmSession, SessionHead } from '../../store/lcm-session.ts'
import type { LcmStore } from '../../store/lcm-store.ts'

export { AT, texts }

export function encode(message: Message): EncodedMessage {
  return encodeMessage(message, JSON.stringify(message).length)
}

export function userMessage(content: string): Message {
  return { role: 'user', content }
}

export function userMessages(...texts: readonly string[]): EncodedMessage[] {
  return texts.map((text) => encode(userMessage(text)))
}

/** Appends a user's messages behind the last one. */
export async function say(session: LcmSession, ...texts: readonly string[]): Promise<SessionHead> {
  const { nextSeq } = await session.head()
  return session.append({ nextSeq, messages: userMessages(...texts), at: AT + nextSeq })
}

/** A new session of the default principal in which a user has said these texts. */
export async function talk(store: LcmStore, key: string, ...texts: readonly string[]): Promise<LcmSession> {
  const session = await store.session({ key }, AT)
  if (texts.length > 0) await say(session, ...texts)
  return session
}

/** The contents of a session's messages, as far as they are texts. */
export async function contents(session: LcmSession, includeReplaced = false): Promise<string[]> {
  const messages = await session.messages({ limit: 1_000_000, includeReplaced })
  return messages.map(({ json }) => (json === '' ? '(forgotten)' : JSON.parse(json).content))
}

/** Replaces everything from a message on by other texts. */
export async function edit(
  session: LcmSession,
  from: number,
  summaries: readonly number[],
  ...instead: readonly string[]
): Promise<SessionHead> {
  const { nextSeq, version } = await session.head()
  const messages = userMessages(...instead)
  return session.append({ nextSeq, messages, at: AT + 99, version, replace: { from, summaries } })
}
