import type { LcmStore, SessionInfo, StoreFault } from '../store/lcm-store.ts'
import { listSessions } from '../store/list-sessions.ts'
import { readOrReport } from './read-or-report.ts'
import { verifySession } from './verify-session.ts'

export interface VerifyProgress {
  readonly sessions: number
  readonly messages: number
  /** All that there are. */
  readonly of: { readonly sessions: number; readonly messages: number }
}

/**
 * Proves every session of a store, and asks the store for its own faults.
 *
 * @returns the faults; empty when all is proved.
 * @throws StoreError when the store cannot be read at all.
 */
export async function verifyStore(
  store: LcmStore,
  { onProgress = () => {} }: { readonly onProgress?: (progress: VerifyProgress) => void } = {},
): Promise<StoreFault[]> {
  const faults = await store.check()
  const of = { sessions: 0, messages: 0 }
  for await (const { messages } of listSessions(store)) {
    of.sessions++
    of.messages += messages
  }
  const done = { sessions: 0, messages: 0 }
  const report = (sessions: number, messages: number) => {
    done.sessions += sessions
    done.messages += messages
    onProgress({ ...done, of })
  }

  for await (const info of listSessions(store)) {
    faults.push(...(await verifyListed(store, info, (count) => report(0, count))))
    report(1, 0)
  }
  return faults
}

async function verifyListed(
  store: LcmStore,
  { principal, key }: SessionInfo,
  onMessages: (count: number) => void,
): Promise<StoreFault[]> {
  const broken: StoreFault[] = []
  const verify = async () => {
    const session = await store.find({ principal, key })
    return session === null ? [] : verifySession(session, { onMessages })
  }
  const report = (reason: string) => {
    const message = `the session ${key} cannot be read: ${reason}`
    broken.push({ code: 'session-unreadable', message, principal, key, repairable: false })
  }
  return (await readOrReport(verify, report)) ?? broken
}
