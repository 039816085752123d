import { hash } from 'node:crypto'
import { errorText } from '@palimpsest/core'
import { type LcmStore, listSessions, messageRef, type SessionRef, StoreError } from '@palimpsest/lcm'
import { damageOf, type OpenedStore } from './with-store.ts'

/** Sessions to export, and those that would spoil the export. */
export interface ReadableSessions {
  readonly sessions: readonly Required<SessionRef>[]
  readonly unreadable: readonly { readonly ref: Required<SessionRef>; readonly reason: string }[]
}

/** Codes of a store that cannot be read at all: no session is to blame. */
const OF_THE_STORE: ReadonlySet<string> = new Set([
  'STORE_UNAVAILABLE',
  'STORE_BUSY',
  'STORE_CLOSED',
  'STORE_TOO_NEW',
])

/**
 * Reads the sessions of a principal, or of all, to the end: whoever imports an export refuses all of it when one message
 * is lost or changed, so that such a session has to stay out, with the forks that share it.
 */
export async function readableSessions(
  opened: OpenedStore,
  principal: string | undefined,
): Promise<ReadableSessions> {
  const reasons = new Map<string, string | undefined>()
  const check = async (ref: Required<SessionRef>): Promise<string | undefined> => {
    const id = JSON.stringify([ref.principal, ref.key])
    if (reasons.has(id)) return reasons.get(id)
    const { parent, reason } = await readSession(opened.store, ref)
    const broken =
      reason === undefined && parent !== undefined
        ? await check({ principal: ref.principal, key: parent })
        : undefined
    const fault = broken === undefined ? reason : `it is a fork of ${parent}, which cannot be read`
    reasons.set(id, fault)
    return fault
  }
  const sessions: Required<SessionRef>[] = []
  const unreadable: { ref: Required<SessionRef>; reason: string }[] = []
  for await (const { principal: owner, key } of listSessions(opened.store, principal)) {
    const ref = { principal: owner, key }
    const reason = await check(ref)
    if (reason === undefined) sessions.push(ref)
    else unreadable.push({ ref, reason })
  }
  return { sessions, unreadable }
}

/** Why a session cannot be exported, if it cannot, and what it was forked from. */
async function readSession(
  store: LcmStore,
  ref: Required<SessionRef>,
): Promise<{ readonly parent?: string | undefined; readonly reason?: string }> {
  let parent: string | undefined
  let [expected, found] = [0, 0]
  try {
    for await (const record of store.dump(ref)) {
      if (record.type === 'session') {
        parent = record.parent?.key
        expected = record.nextSeq - (record.parent?.seq ?? 0)
      }
      if (record.type !== 'message') continue
      found++
      if (record.forgotten === undefined && hash('sha256', record.json) !== record.hash)
        return { parent, reason: `${messageRef(record.seq)} is not what was stored` }
    }
  } catch (error) {
    if (StoreError.isInstance(error) && OF_THE_STORE.has(error.code)) throw error
    return { parent, reason: error instanceof Error ? damageOf(error) : errorText(error) }
  }
  return found === expected ? { parent } : { parent, reason: `it has ${found} of its ${expected} messages` }
}
