import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ContextSessionOptions, Store, StoredSession, Summary } from '@palimpsest/core'
import { createSqliteStore } from '@palimpsest/store'
import type { Branch } from './branch.ts'

export interface BranchStore {
  readonly store: Store
  begin(branch: Branch): Promise<void>
  nodes(key: string): Promise<string[]>
  close(): Promise<void>
}

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

async function lastShared(session: StoredSession, ids: ReadonlySet<string>): Promise<number | undefined> {
  for (let last: number | undefined; last !== -1; ) {
    const page = await session.messages({ order: 'newest', limit: PAGE, ...(last !== undefined && { last }) })
    const shared = page.find(({ message }) => message?.id !== undefined && ids.has(message.id))
    if (shared !== undefined) return shared.seq
    last = (page.at(-1)?.seq ?? 0) - 1
  }
  return undefined
}

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
  /** A summary that reaches further is replaced by its children. */
  const copyAll = async (list: readonly number[]): Promise<number[]> => {
    const copied: number[] = []
    for (const summary of await from.summaries(list)) {
      const { children, forgotten, damaged } = summary
      const below = await copyAll(children)
      const [first, last] = [numbers.get(summary.first), numbers.get(summary.last)]
      // A conversation must end with messages.
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
