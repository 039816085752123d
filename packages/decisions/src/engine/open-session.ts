import { DEFAULT_PRINCIPAL, type DecisionSession, type DecisionStore } from '../store/decision-store.ts'
import type { DecisionsOptions } from './options.ts'

/** The store of one engine, and its conversation in it. */
export interface OpenedSession {
  /** Undefined until a store of the engine's own is made, by the first use. */
  readonly store: DecisionStore | undefined
  openStore(): Promise<DecisionStore>
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
  let store = typeof given === 'function' ? given() : given
  const openStore = async (): Promise<DecisionStore> => {
    if (store !== undefined) return store
    // A host with another store does not load SQLite.
    const { createSqliteDecisionStore } = await import('@palimpsest/decisions/sqlite')
    store ??= createSqliteDecisionStore({ path: ':memory:' })
    return store
  }
  let session: Promise<DecisionSession> | undefined
  let begun = 0

  const find = async (): Promise<DecisionSession> => {
    const own = await openStore()
    const number = (await lastConversation(own, { principal, sessionId })) + begun
    const found = await own.session({ principal, key: conversationKey(sessionId, number) }, now())
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
    get store() {
      return store
    },
    openStore,
    open,
    next() {
      session = undefined
      begun = 1
    },
    async close() {
      if (isOwn) await store?.close()
    },
  }
}

/** The key of a session's first conversation is its id; later ones have a mark that no id has, because there it is doubled. */
export function conversationKey(sessionId: string, number: number): string {
  const id = sessionId.replaceAll('~', '~~')
  return number === 1 ? id : `${id}~${number}`
}

/** The session that a key in the store belongs to, and the number of its conversation, 1 for the first. */
export function readConversationKey(key: string): { readonly sessionId: string; readonly number: number } {
  const [, id = key, number = '1'] = /^((?:[^~]|~~)*)~(\d{1,9})$/.exec(key) ?? []
  return { sessionId: id.replaceAll('~~', '~'), number: Number(number) }
}

/** The number of a session's last conversation in a store; 1 when there is none yet. */
export async function lastConversation(
  store: Pick<DecisionStore, 'find'>,
  { principal, sessionId }: { readonly principal: string; readonly sessionId: string },
): Promise<number> {
  const isThere = async (number: number) =>
    (await store.find({ principal, key: conversationKey(sessionId, number) })) !== null
  let known = 1
  while (await isThere(known * 2)) known *= 2
  let open = known * 2
  while (open - known > 1) {
    const middle = (known + open) >> 1
    if (await isThere(middle)) known = middle
    else open = middle
  }
  return known
}
