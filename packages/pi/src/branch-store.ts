import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ContextSessionOptions, Store, StoredSession, Summary } from '@palimpsest/core'
import { createSqliteStore } from '@palimpsest/store'
import type { Branch } from './branch.ts'

/** Where the branches of a session of pi are kept. */
export interface BranchStore {
  readonly store: Store
  /** Lets a branch that is new begin with copies of the messages and summaries that it has in common with another one. */
  begin(branch: Branch): Promise<void>
  /** Ids of the summaries that the context of a branch shows now. */
  nodes(key: string): Promise<string[]>
  close(): Promise<void>
}

/** @param path The file of the default store; undefined for one in memory. */
export function openBranchStore(
  { store: given, principal }: Pick<ContextSessionOptions<never>, 'store' | 'principal'>,
  path: string | undefined,
): BranchStore {
  const store = given ?? defaultStore(path)
  const ref = (key: string) => ({ key, ...(principal !== undefined && { principal }) })
  return {
    store,
    async begin({ key, relatives, entries }) {
      if ((await store.find(ref(key))) !== null) return
      const ids = new Set(entries.map(({ id }) => id))
      for (const relative of relatives) {
        const session = await store.find(ref(relative))
        const last = session === null ? undefined : await lastShared(session, ids)
        if (session === null || last === undefined) continue
        const at = Date.now()
        await copyBeginning(session, await store.session(ref(key), at), last, at)
        return
      }
    },
    async nodes(key) {
      const { summaries = [] } = (await (await store.find(ref(key)))?.frontier()) ?? {}
      return summaries.map((number) => `s${number}`)
    },
    async close() {
      if (given === undefined) await store.close()
    },
  }
}

function defaultStore(path: string | undefined): Store {
  if (path === undefined) return createSqliteStore({ path: ':memory:' })
  mkdirSync(dirname(path), { recursive: true })
  return createSqliteStore({ path })
}

const PAGE = 500

/** The number of the last stored message whose entry is one of these. */
async function lastShared(session: StoredSession, ids: ReadonlySet<string>): Promise<number | undefined> {
  for (let last: number | undefined; last !== -1; ) {
    const page = await session.messages({ order: 'newest', limit: PAGE, ...(last !== undefined && { last }) })
    const shared = page.find(({ message }) => message?.id !== undefined && ids.has(message.id))
    if (shared !== undefined) return shared.seq
    last = (page.at(-1)?.seq ?? 0) - 1
  }
  return undefined
}

/** Copies what is known up to a message, and the summaries of it. What was deleted on request ends the copy. */
async function copyBeginning(
  from: StoredSession,
  to: StoredSession,
  last: number,
  at: number,
): Promise<void> {
  const numbers = new Map<number, number>()
  const messages = []
  for (const { seq, message, tokens, at } of await from.messages({ last })) {
    if (message === null) break
    numbers.set(seq, messages.length)
    messages.push({ message, tokens, at })
  }
  await to.append({ nextSeq: 0, messages, at })

  const create: Summary[] = []
  /** Numbers of the copies, as far as they go: a summary that reaches further is opened into what it condenses. */
  const copyAll = async (list: readonly number[]): Promise<number[]> => {
    const copied: number[] = []
    for (const summary of await from.summaries(list)) {
      const { children, forgotten, damaged } = summary
      const below = await copyAll(children)
      const [first, last] = [numbers.get(summary.first), numbers.get(summary.last)]
      // A conversation ends with messages.
      const isThere = first !== undefined && last !== undefined && last < messages.length - 1
      const isWhole = children.length === 0 || create.at(-1)?.last === last
      if (!isThere || !isWhole || forgotten || damaged) return [...copied, ...below]
      const number = create.length + 1
      create.push({ ...summary, number, first, last, children: below })
      copied.push(number)
    }
    return copied
  }
  const { summaries } = await from.frontier()
  const shown = await copyAll(summaries)
  if (shown.length > 0) await to.commit({ version: 0, create, summaries: shown, reason: 'compaction', at })
}
