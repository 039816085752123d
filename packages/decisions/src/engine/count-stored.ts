import type { Message } from '@palimpsest/core'
import type { DecisionStore } from '../store/decision-store.ts'
import { DEFAULT_PRINCIPAL } from '../store/default-principal.ts'
import { conversationKey, lastConversation } from './conversation-key.ts'
import { messageHash } from './source-of.ts'

/** Messages that are read at once. */
const PAGE = 1_000

/**
 * Number of messages at the beginning of a transcript that the engine has on record for a session, each in its place. A host
 * that goes on behind them repeats nothing and takes nothing back.
 */
export async function countStored(
  store: Pick<DecisionStore, 'find'>,
  session: { readonly principal?: string; readonly sessionId: string },
  messages: readonly Message[],
): Promise<number> {
  const { principal = DEFAULT_PRINCIPAL, sessionId } = session
  const key = conversationKey(sessionId, await lastConversation(store, { principal, sessionId }))
  const stored = await store.find({ principal, key })
  for (let from = 0; stored !== null && from < messages.length; from += PAGE) {
    const page = await stored.sources({ from, to: Math.min(from + PAGE, messages.length) })
    const known = messages.slice(from, from + page.length)
    const differs = known.findIndex((message, index) => messageHash(message) !== page[index]?.hash)
    if (differs !== -1) return from + differs
    if (page.length < PAGE) return from + page.length
  }
  return stored === null ? 0 : messages.length
}
