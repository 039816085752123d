import { StoreError } from '../errors/store-error.ts'
import type { LcmStore, SessionInfo, SessionRef } from '../store/lcm-store.ts'
import { readOrReport } from '../verify/read-or-report.ts'
import { compareRefs } from './compare-refs.ts'

const PAGE = 100

/** Some sessions of a store. Default: all. */
export interface SessionChoice {
  /** Only those of this user or tenant. */
  readonly principal?: string
  /** Only these, and what they were forked from. They go before `principal`. */
  readonly sessions?: readonly Required<SessionRef>[]
}

/** A session on the way through a store. */
export interface WalkedSession extends Required<SessionRef> {
  /** The key of the session that it was forked from. */
  readonly parent?: string
}

/**
 * Each chosen session once, in the order of an export: behind those that it was forked from, chosen or not.
 *
 * @throws StoreError `NOT_FOUND` for an unknown session.
 */
export async function* walkSessions(store: LcmStore, choice: SessionChoice): AsyncGenerator<WalkedSession> {
  const given = new Set<string>()
  const isGiven = (principal: string, key: string) => given.has(sessionName({ principal, key }))
  for await (const { principal, key } of choice.sessions?.toSorted(compareRefs) ??
    listSessions(store, choice.principal)) {
    const lineage: WalkedSession[] = []
    for (let next: string | undefined = key; next !== undefined && !isGiven(principal, next); ) {
      const ref: Required<SessionRef> = { principal, key: next }
      given.add(sessionName(ref))
      const parent = await parentOf(store, ref)
      lineage.push({ ...ref, ...(parent !== undefined && { parent }) })
      next = parent
    }
    yield* lineage.reverse()
  }
}

/** The messages of the chosen sessions, and how many sessions that are. */
export async function countSessions(
  store: LcmStore,
  choice: SessionChoice,
): Promise<{ readonly sessions: number; readonly messages: number }> {
  const count = { sessions: 0, messages: 0 }
  const add = (messages: number): void => {
    count.sessions++
    count.messages += messages
  }
  if (choice.sessions === undefined) {
    for await (const { messages } of listSessions(store, choice.principal)) add(messages)
    return count
  }
  for await (const ref of walkSessions(store, choice)) {
    const head = await (await store.find(ref))?.head()
    add((head?.nextSeq ?? 0) - (head?.parent?.seq ?? 0))
  }
  return count
}

/** No two sessions have the same one, whatever characters their names hold. */
export function sessionName({ principal, key }: Required<SessionRef>): string {
  return JSON.stringify([principal, key])
}

/** The sessions of a store in the order of principal and key, or those of one principal; read as far as they are taken. */
export async function* listSessions(
  store: Pick<LcmStore, 'list'>,
  principal?: string,
): AsyncGenerator<SessionInfo> {
  let after: SessionInfo | undefined
  do {
    const page: SessionInfo[] = await store.list({
      ...(principal !== undefined && { principal }),
      ...(after && { after: { principal: after.principal, key: after.key } }),
      limit: PAGE,
    })
    yield* page
    after = page.length < PAGE ? undefined : page.at(-1)
  } while (after !== undefined)
}

/** Undefined also for a session that cannot be read: whoever reads all of it is told why. */
async function parentOf(store: LcmStore, ref: Required<SessionRef>): Promise<string | undefined> {
  const session = await store.find(ref)
  if (session === null)
    throw new StoreError('NOT_FOUND', `there is no session ${ref.key} of ${ref.principal}`)
  const head = await readOrReport(
    () => session.head(),
    () => {},
  )
  return head?.parent?.key
}
