import { createMemoryDecisionStore } from '../memory/create-memory-store.ts'
import type { DecisionSession, DecisionStore } from '../store/decision-store.ts'
import { DEFAULT_PRINCIPAL } from '../store/default-principal.ts'
import { conversationKey, lastConversation } from './conversation-key.ts'
import type { DecisionsOptions } from './options.ts'

/** The store of one engine, and its conversation in it. */
export interface OpenedSession {
  readonly store: DecisionStore
  /** The same session each time; a failed attempt is made again. */
  open(): Promise<DecisionSession>
  /** A new conversation: what was said before stays where it is, under its old key. */
  next(): void
  /** Closes the store if the engine made it. */
  close(): Promise<void>
}

export function openSession(
  { store: given, principal = DEFAULT_PRINCIPAL }: DecisionsOptions,
  { sessionId, now }: { readonly sessionId: string; readonly now: () => number },
): OpenedSession {
  const isOwn = given === undefined || typeof given === 'function'
  const store =
    given === undefined ? createMemoryDecisionStore() : typeof given === 'function' ? given() : given
  let session: Promise<DecisionSession> | undefined
  let begun = 0

  const find = async (): Promise<DecisionSession> => {
    const number = (await lastConversation(store, { principal, sessionId })) + begun
    const found = await store.session({ principal, key: conversationKey(sessionId, number) }, now())
    begun = 0
    return found
  }
  const open = (): Promise<DecisionSession> => {
    session ??= find().catch((error) => {
      session = undefined
      throw error
    })
    return session
  }
  return {
    store,
    open,
    next() {
      session = undefined
      begun = 1
    },
    async close() {
      if (isOwn) await store.close()
    },
  }
}
