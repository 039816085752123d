import { roughTokenCounter } from '@palimpsest/core'
import { createLcmTools, type LcmSession } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import { SESSION, timeOf } from './workload.ts'

const PAGE = 30

export async function openGrepTool(path: string) {
  const store = createSqliteStore({ path })
  const session = await store.session(SESSION, timeOf(0))
  const call = await openGrep(session)
  return {
    /** The newest ten hits, or what the arguments ask for. Throws when there is none. */
    async grep(args: object): Promise<unknown> {
      const { hits } = await call(args)
      if (hits.length === 0) throw new Error(`nothing was found: ${JSON.stringify(args)}`)
      return hits
    },
    async countMatches(pattern: string): Promise<number> {
      let count = 0
      let next: string | null = null
      do {
        const args = { query: pattern, mode: 'regex', limit: PAGE, ...(next !== null && { cursor: next }) }
        const answer = await call(args)
        count += answer.hits.length
        next = answer.next
      } while (next !== null)
      return count
    },
    close: () => store.close(),
  }
}

/** `lcm_grep` of a session, as an engine offers it: with the head and the frontier in memory. It throws what a model would be told. */
export async function openGrep(session: LcmSession): Promise<(args: object) => Promise<GrepAnswer>> {
  const frontier = await session.frontier()
  const head = await session.head()
  const tools = createLcmTools({
    open: async () => session,
    // An engine has both in memory.
    head: async () => head,
    frontier: async () => frontier,
    tokens: roughTokenCounter,
    clock: { now: () => timeOf(0) },
  })
  return async (args) => {
    const answer = JSON.parse(await tools.call('lcm_grep', args)) as GrepAnswer
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer
  }
}

interface GrepAnswer {
  readonly error?: string
  readonly hits: readonly unknown[]
  readonly next: string | null
}
