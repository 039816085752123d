import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { copyBeginning, type LcmOptions, type LcmStore, summaryRef } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import type { Branch } from './branch.ts'

/** The conversations of a session of pi in a store of the engine `lcm`. */
export interface LcmSessions {
  readonly store: LcmStore
  /** Lets a branch that is new begin with copies of the messages and summaries that it has in common with another one. */
  begin(branch: Branch): Promise<void>
  /** Ids of the summaries that the context of a branch shows now. */
  nodes(key: string): Promise<string[]>
  close(): Promise<void>
}

/** @param path The file of the store; undefined for one in memory. */
export function openLcmSessions(
  { store: given, principal }: LcmOptions,
  path: string | undefined,
): LcmSessions {
  const store = typeof given === 'function' ? given() : (given ?? defaultStore(path))
  const ref = (key: string) => ({ key, ...(principal !== undefined && { principal }) })
  return {
    store,
    async begin({ key, relatives, entries }) {
      if ((await store.find(ref(key))) !== null) return
      const ids = new Set(entries.map(({ id }) => id))
      for (const relative of relatives) {
        const session = await store.find(ref(relative))
        const seq = session === null ? 0 : await sharedEnd(session, ids)
        if (session === null || seq === 0) continue
        await copyBeginning(store, session, { key, seq, at: Date.now() })
        return
      }
    },
    async nodes(key) {
      const session = await store.find(ref(key))
      if (session === null) return []
      return (await session.frontier()).nodes.map(({ number }) => summaryRef(number))
    },
    async close() {
      if (typeof given !== 'object') await store.close()
    },
  }
}

function defaultStore(path: string | undefined): LcmStore {
  if (path === undefined) return createSqliteStore({ path: ':memory:' })
  mkdirSync(dirname(path), { recursive: true })
  return createSqliteStore({ path })
}

const PAGE = 500

/** The number behind the last stored message whose entry is one of these; 0 when there is none. */
async function sharedEnd(
  session: NonNullable<Awaited<ReturnType<LcmStore['find']>>>,
  ids: ReadonlySet<string>,
): Promise<number> {
  let last: number | undefined
  for (;;) {
    const page = await session.messages({ order: 'newest', limit: PAGE, ...(last !== undefined && { last }) })
    const shared = page.find(({ hostId }) => hostId !== undefined && ids.has(hostId))
    if (shared !== undefined) return shared.seq + 1
    const oldest = page.at(-1)?.seq ?? 0
    if (oldest === 0) return 0
    last = oldest - 1
  }
}
