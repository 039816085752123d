import { type LcmStore, searchStore } from '@palimpsest/lcm'
import { createPostgresStore } from '@palimpsest/postgres'
import type { Client } from 'pg'
import { openGrep } from '../lcm/grep-tool.ts'
import { timeOf } from '../lcm/workload.ts'
import { ready, timePair } from '../speed/time.ts'
import type { FilledStore } from './fill-store.ts'
import { GREP_CASES, type GrepCase } from './grep-cases.ts'
import { PRINCIPAL, rareSession, sessionKey } from './scale-workload.ts'
import { createSqlFloor } from './sql-floor.ts'

export type GrepFigures = Awaited<ReturnType<typeof measureGrep>>[number]

const RUNS = 30
const HITS = 10

export async function measureGrep(
  { url, schema, workload, messages }: FilledStore,
  { client, effort }: { readonly client: Client; readonly effort: number },
) {
  const store = createPostgresStore({ url, schema })
  const sql = createSqlFloor(client, schema)
  const key = sessionKey(rareSession(workload))
  const grepOne = await openGrepOf(store, key)
  const session = await sql.find(key)

  const compare = async (grepCase: GrepCase, sessions: number) => {
    const within = sessions === 1 ? session : undefined
    const search = () => (sessions === 1 ? grepOne(grepCase) : grepAll(store, grepCase))
    const floor = () => sql.search(grepCase, within, HITS)
    const [hits, found] = [await search(), await floor()]
    if (hits !== found) throw new Error(`${grepCase.what}: ${hits} hits, and ${found} by SQL`)
    const often = { runs: Math.ceil(RUNS * effort), warmUp: 0 }
    const times = await timePair(ready(search), ready(floor), often)
    // `hits` of one page.
    return { messages, sessions, what: grepCase.what, ...times, hits }
  }

  const figures: Awaited<ReturnType<typeof compare>>[] = []
  for (const sessions of [1, workload.sessions])
    for (const grepCase of GREP_CASES) figures.push(await compare(grepCase, sessions))
  await store.close()
  return figures
}

/** `lcm_grep` of a session, as a model calls it. Returns how many hits a page has. */
async function openGrepOf(store: LcmStore, key: string): Promise<(grepCase: GrepCase) => Promise<number>> {
  const grep = await openGrep(await store.session({ principal: PRINCIPAL, key }, timeOf(0)))
  return async ({ query, mode }) => (await grep({ query, mode, limit: HITS })).hits.length
}

/** As `palimpsest lcm grep --all` searches. Returns the number of hits. */
async function grepAll(store: LcmStore, { query, mode }: GrepCase): Promise<number> {
  const asked = { query, mode, principal: PRINCIPAL, limit: HITS }
  const { found } = await searchStore(store, asked, { clock: { now: Date.now } })
  return found.reduce((sum, { messages }) => sum + (messages?.hits.length ?? 0), 0)
}
