import { type LcmStore, type SearchMode, searchStore } from '@palimpsest/lcm'
import { createPostgresStore } from '@palimpsest/postgres'
import { type Client, escapeIdentifier, type QueryResultRow } from 'pg'
import { openGrep } from '../lcm/measure-search.ts'
import { timeOf } from '../lcm/workload.ts'
import { ready, timePair } from '../speed/time.ts'
import { COMMON_WORD } from '../workload/conversation.ts'
import {
  type FilledStore,
  PRINCIPAL,
  RARE_CHINESE,
  RARE_PART,
  RARE_PATTERN,
  RARE_WORD,
  rareSession,
  sessionKey,
} from './scale-workload.ts'

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

/** Something to search for, and the condition that asks an index of the tables for the same. */
export interface GrepCase {
  readonly what: string
  readonly query: string
  readonly mode: SearchMode
  /** With `$1` for the value. */
  readonly condition: string
  readonly value: string | readonly string[]
  /** Whether few messages match, so that an index of texts is better than walking along the messages in their order. */
  readonly isRare: boolean
}

/** The expression that is indexed by trigrams, as the schema of the store has it. */
const FOLDED = `coalesce(folded, lower(text COLLATE "C"))`

const grepCase = (
  what: string,
  query: string,
  mode: SearchMode,
  ...[condition, value]: [string, GrepCase['value']]
) => ({
  ...{ what, query, mode, condition, value, isRare: query !== COMMON_WORD },
})

const WORDS = 'words @@ $1::tsquery'
const PAIRS = [...RARE_CHINESE].slice(1).map((character, index) => [...RARE_CHINESE][index] + character)

/** One message of the store has everything rare in it. */
export const GREP_CASES: readonly GrepCase[] = [
  grepCase('rare word', RARE_WORD, 'text', WORDS, `'${RARE_WORD}'`),
  grepCase('word in 40 % of the messages', COMMON_WORD, 'text', WORDS, `'${COMMON_WORD}'`),
  grepCase('rare part of a word', RARE_PART, 'substring', `${FOLDED} LIKE $1`, `%${RARE_PART}%`),
  grepCase('rare Chinese', RARE_CHINESE, 'substring', 'grams @> $1::text[]', PAIRS),
  grepCase('rare regular expression', RARE_PATTERN, 'regex', `${FOLDED} ~ $1`, RARE_PATTERN),
]

/** Statements as one would write them by hand for the tables of a schema: what floors are measured with. */
export function createSqlFloor(client: Client, schema: string) {
  const table = (name: string) => `${escapeIdentifier(schema)}.${name}`
  return {
    async find(key: string): Promise<string> {
      const { rows } = await client.query(`SELECT no FROM ${table('lcm_session')} WHERE key = $1`, [key])
      return rows[0].no
    },
    async rows(session: string, first: number): Promise<QueryResultRow[]> {
      const query = `SELECT * FROM ${table('lcm_message')} WHERE session = $1 AND seq >= $2 ORDER BY seq`
      return (await client.query(query, [session, first])).rows
    },
    /** Puts rows behind the last message of a session: one transaction, of four statements. */
    async append(session: string, rows: readonly QueryResultRow[]): Promise<void> {
      await client.query('BEGIN')
      const { rows: heads } = await client.query(
        `UPDATE ${table('lcm_session')} SET next_seq = next_seq + $2, last_at = $3 WHERE no = $1 RETURNING next_seq`,
        [session, rows.length, rows.at(-1)?.at],
      )
      const first = heads[0].next_seq - rows.length
      const columns = Object.keys(rows[0] ?? {})
      const values = rows.flatMap((row, index) => Object.values({ ...row, session, seq: first + index }))
      const lines = rows.map(
        (_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`)})`,
      )
      await client.query(`INSERT INTO ${table('lcm_message')} (${columns}) VALUES ${lines}`, values)
      await client.query('COMMIT')
    },
    async search(grepCase: GrepCase, session: string | undefined, limit: number): Promise<number> {
      // With a sum in it, the server cannot walk along the primary key until it has enough: for rare things that is slow.
      const order = grepCase.isRare ? 'session + 0, seq DESC' : 'session, seq DESC'
      const whose = session === undefined ? 'principal = $2' : 'session = $2'
      const { rows } = await client.query(
        `SELECT session, seq, role, at, text FROM ${table('lcm_message')}
         WHERE ${grepCase.condition} AND ${whose} ORDER BY ${order} LIMIT ${limit}`,
        [grepCase.value, session ?? PRINCIPAL],
      )
      return rows.length
    },
  }
}
