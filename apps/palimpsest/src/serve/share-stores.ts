import type { Message } from '@palimpsest/core'
import type { LcmSession } from '@palimpsest/lcm'
import { DECISIONS } from '../engines/decisions-options.ts'
import { LCM, principalOf } from '../engines/lcm-options.ts'
import { assertSameHistory } from './stored-history.ts'
import type { CheckedStore } from './watch-stores.ts'

/** Options whose stores all conversations of a service share, so that one comes back to what it left when it is loaded again. */
export interface SharedStores {
  readonly options: Record<string, unknown>
  readonly stores: readonly CheckedStore[]
  /** Whether one of them has a session of this key. */
  knows(key: string): Promise<boolean>
  /** Holds a list with its system prompt against what they have of a session. @throws PalimpsestError `STORE_MISMATCH`. */
  assertSame(key: string, messages: readonly Message[]): Promise<void>
  /** The sessions that they have; 1,000 of each at most. */
  list(): Promise<readonly StoredSession[]>
  /** The messages of one of them, in order; empty where the stores keep no messages. */
  messagesOf(key: string): Promise<readonly TimedMessage[]>
  close(): Promise<void>
}

/** A session in a store. */
export interface StoredSession {
  readonly key: string
  readonly messages: number
  /** The time of its last message, in milliseconds since the epoch. */
  readonly lastAt: number
}

interface TimedMessage {
  readonly message: Message
  readonly at: number
}

const MAX_LISTED = 1_000

interface StoreOfOurs {
  readonly kind: string
  /** Null when there is none. */
  find(ref: { readonly principal: string; readonly key: string }): Promise<object | null>
  list(query: { readonly principal: string; readonly limit: number }): Promise<readonly StoredSession[]>
  close(): Promise<void>
}

/** A session that does not exist: callers' names take no such character. */
const CHECK_KEY = '#check'

/**
 * Makes each store once that the options of a built-in engine would make for every session; one in memory where they
 * name none.
 */
export async function shareStores(name: string, options: Record<string, unknown>): Promise<SharedStores> {
  const opened: { readonly engine: string; readonly store: StoreOfOurs; readonly principal: string }[] = []
  const stores: CheckedStore[] = []
  const share = async (engine: string, given: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const store = typeof given.store === 'function' ? given.store() : await memoryStore(engine)
    if (store === undefined) return given
    const principal = principalOf(given)
    opened.push({ engine, store, principal })
    stores.push({ name: engine, kind: store.kind, check: () => store.find({ principal, key: CHECK_KEY }) })
    return { ...given, store }
  }
  const close = async () => {
    await Promise.all(opened.map(({ store }) => store.close()))
  }
  const knows = async (key: string): Promise<boolean> => {
    const found = await Promise.all(opened.map(({ store, principal }) => store.find({ principal, key })))
    return found.some((session) => session !== null)
  }
  const assertSame = async (key: string, messages: readonly Message[]): Promise<void> => {
    for (const { engine, store, principal } of opened)
      await assertSameHistory({ engine, store, ref: { principal, key } }, messages)
  }
  const list = async () => {
    const lists = await Promise.all(
      opened.map(({ store, principal }) => store.list({ principal, limit: MAX_LISTED })),
    )
    return [...new Map(lists.flat().map((session) => [session.key, session])).values()]
  }
  const messagesOf = async (key: string): Promise<readonly TimedMessage[]> => {
    for (const { store, principal } of opened) {
      const found = await store.find({ principal, key })
      if (found !== null && 'messages' in found) return saidIn(found as LcmSession)
    }
    return []
  }
  const all = { stores, knows, assertSame, list, messagesOf, close }
  const shared = await share(name, options)
  const { compaction } = shared
  if (!isCompaction(compaction)) return { ...all, options: shared }
  const inner = await share(compaction.engine.name, compaction.options ?? {})
  return { ...all, options: { ...shared, compaction: { ...compaction, options: inner } } }
}

/** Messages that are shown of one session. */
const MAX_MESSAGES = 100_000

async function saidIn(session: LcmSession): Promise<readonly TimedMessage[]> {
  const stored = await session.messages({ limit: MAX_MESSAGES })
  // A message that was deleted on request has no text left.
  return stored.map(({ json, at, role }) => ({
    message: json === '' ? ({ role, content: '(deleted on request)' } as Message) : JSON.parse(json),
    at,
  }))
}

async function memoryStore(engine: string): Promise<StoreOfOurs | undefined> {
  if (engine === LCM) return (await import('@palimpsest/lcm/sqlite')).createSqliteStore({ path: ':memory:' })
  if (engine === DECISIONS)
    return (await import('@palimpsest/decisions/sqlite')).createSqliteDecisionStore({ path: ':memory:' })
  return undefined
}

interface Compaction {
  readonly engine: { readonly name: string }
  readonly options?: Record<string, unknown>
}

export function isCompaction(value: unknown): value is Compaction {
  return typeof value === 'object' && value !== null && 'engine' in value
}
