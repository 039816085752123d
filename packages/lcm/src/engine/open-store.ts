import type { Clock } from '@palimpsest/core'
import { createMemoryStore } from '../memory/create-memory-store.ts'
import { DEFAULT_PRINCIPAL } from '../store/default-principal.ts'
import type { LcmSession } from '../store/lcm-session.ts'
import type { LcmStore } from '../store/lcm-store.ts'
import type { LcmOptions } from './options.ts'

export interface OpenedStore {
  readonly store: LcmStore
  /** The same session each time; a failed attempt is made again. */
  open(): Promise<LcmSession>
  close(): Promise<void>
}

export function openStore(
  { store: given, principal = DEFAULT_PRINCIPAL }: LcmOptions,
  host: { readonly sessionId: string; readonly clock: Clock },
): OpenedStore {
  const isOwn = given === undefined || typeof given === 'function'
  const store = given === undefined ? createMemoryStore() : typeof given === 'function' ? given() : given
  let session: Promise<LcmSession> | undefined
  return {
    store,
    open() {
      session ??= store.session({ principal, key: host.sessionId }, host.clock.now()).catch((error) => {
        session = undefined
        throw error
      })
      return session
    },
    async close() {
      if (isOwn) await store.close()
    },
  }
}
