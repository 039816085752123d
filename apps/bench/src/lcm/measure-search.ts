import { DatabaseSync } from 'node:sqlite'
import { roughTokenCounter } from '@palimpsest/core'
import { createLcmTools, type LcmSession } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import { cpuTime, type RatioRow, ratioRow, ready, timePair, timeRow, timeRows } from '../speed/time.ts'
import { COMMON_WORD, RARE_CJK } from '../workload/conversation.ts'
import { openRaw } from './measure-ingest.ts'
import { growthRow, lcmWorkload, type MeasureInput, SESSION, type StoreFile, timeOf } from './workload.ts'

/** Regexes that match planted facts: one with words in it, which an index knows, and one without. */
const REGEX = 'snapshot path of K\\d+(elm|fir|cedar) is [0-9a-f]{6,8}\\b'
const BARE_REGEX = '\\b\\d{1,2}\\.\\d{1,2}\\.\\d{3}\\.'

const OPEN = 'open the store, find the state of its session'
const RARE = 'grep: rare word'
const COMMON = 'grep: word in 40 % of the messages'

const OPEN_RUNS = 25
const OFTEN = { runs: 60, warmUp: 1, now: cpuTime } as const
/** Searches are judged against a store of at least so many messages: a smaller one is in the caches as a whole. */
export const FLAT_FROM = 10_000

/** A fresh handle in a warm process: what starts Node is not measured. Both sides close the file again. */
export function measureOpen({ path, messages }: MeasureInput): Promise<RatioRow[]> {
  const floor = ready(() => {
    const database = new DatabaseSync(path)
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    database.close()
  })
  return timeRows({ messages, against: 'opening the bare file', floor, runs: OPEN_RUNS, warmUp: 1 }, [
    { operation: OPEN, measured: ready(() => openSession(path)), target: 5 },
  ])
}

async function openSession(path: string): Promise<void> {
  const store = createSqliteStore({ path })
  const session = await store.find(SESSION)
  await session?.head()
  await session?.frontier()
  await store.close()
}

export async function measureWords({ path, messages, seed }: MeasureInput): Promise<RatioRow[]> {
  const tool = await openGrepTool(path)
  const raw = openRaw(path)
  const rows: RatioRow[] = []
  for (const [operation, word] of [
    [RARE, rareWord(seed, messages)],
    [COMMON, COMMON_WORD],
  ] as const)
    rows.push(
      ...(await timeRows(
        { messages, against: 'the FTS5 query', floor: ready(() => raw.words(word)), ...OFTEN },
        [{ operation, measured: ready(() => tool.grep({ query: word })), target: 5 }],
      )),
    )
  raw.close()
  await tool.close()
  return rows
}

function rareWord(seed: number, messages: number): string {
  return lcmWorkload(seed, messages).needles[0]?.key ?? ''
}

/** Words that nearly every longer message has: in this order some have them, and none has those of the other phrase. */
const STOP_WORDS = 'is that for'
const ABSENT_STOP_WORDS = 'which was at when an from not'
/** No message has its third word, and many have each of the others. */
const QUESTION = 'which worker dropped the cache queue'

/** Searches for several words. Where no message has all of them, the best with some are shown. */
export async function measureTerms({ path, messages, seed }: MeasureInput): Promise<RatioRow[]> {
  const tool = await openGrepTool(path)
  const raw = openRaw(path)
  const { needles } = lcmWorkload(seed, messages)
  const apart = [needles[0], needles.at(-1)].map((needle) => needle?.key).join(' ')
  const often = { runs: messages > 20_000 ? 5 : 15, warmUp: 1, now: cpuTime }
  const rows: RatioRow[] = []
  for (const [operation, words, isPhrase, target] of [
    ['grep: phrase of stop words', STOP_WORDS, true, 5],
    ['grep: phrase of stop words, nowhere', ABSENT_STOP_WORDS, true, 5],
    ['grep: question of six words', QUESTION, false, undefined],
    ['grep: two words that never meet', apart, false, undefined],
  ] as const) {
    const floor = ready(() => raw.allWords(words, isPhrase))
    const measured = ready(() => tool.search({ query: isPhrase ? `"${words}"` : words }))
    const input = { messages, against: 'the FTS5 query of its words', floor, ...often }
    rows.push(...(await timeRows(input, [{ operation, measured, ...(target && { target }) }])))
  }
  raw.close()
  await tool.close()
  return rows
}

/** Searches that have no word, or have to find all matches. They are repeated seldom where they take long. */
export async function measureScans({ path, messages, seed }: MeasureInput): Promise<RatioRow[]> {
  const tool = await openGrepTool(path)
  const raw = openRaw(path)
  const runs = messages > 200_000 ? 1 : messages > 20_000 ? 3 : 9
  const often = { runs, warmUp: runs > 3 ? 1 : 0, now: cpuTime }
  const { needles } = lcmWorkload(seed, messages)
  const part = needles.find(({ value }) => /^[0-9a-f]{8}$/.test(value))?.value.slice(1, 7) ?? ''
  const rows: RatioRow[] = []
  for (const [operation, query] of [
    ['grep: rare Chinese', RARE_CJK],
    ['grep: rare substring', part],
  ] as const) {
    const floor = ready(() => raw.like(query))
    const measured = ready(() => tool.grep({ query, mode: 'substring' }))
    const scan = { messages, against: 'a LIKE scan', floor, ...often }
    rows.push(...(await timeRows(scan, [{ operation, measured, target: 1 }])))
  }
  for (const { operation, pattern, target } of [
    { operation: 'grep: regex, all matches', pattern: REGEX, target: 1 },
    { operation: 'grep: regex without a word, all matches', pattern: BARE_REGEX },
  ]) {
    let [found, there] = [0, 0]
    const row = { operation, messages, against: 'a scan in JavaScript' }
    const pair = await timePair(
      ready(async () => {
        found = await tool.countMatches(pattern)
      }),
      ready(() => {
        there = raw.countMatches(pattern)
      }),
      often,
    )
    rows.push(timeRow({ ...row, ...(target !== undefined && { target }) }, pair))
    const hits = { unit: 'messages', measured: found, floor: there, exactly: 1 } as const
    rows.push(ratioRow({ ...row, operation: `${operation}: hits`, ...hits }))
  }
  raw.close()
  await tool.close()
  return rows
}

export type GrowthInput = Readonly<Record<'large' | 'small', StoreFile>> & Pick<MeasureInput, 'seed'>

export async function measureGrowth({ large, small, seed }: GrowthInput): Promise<RatioRow[]> {
  const isJudged = small.messages >= FLAT_FROM
  const [inLarge, inSmall] = [await openGrepTool(large.path), await openGrepTool(small.path)]
  const [rareLarge, rareSmall] = [rareWord(seed, large.messages), rareWord(seed, small.messages)]
  const asked = { question: QUESTION }
  const rows: RatioRow[] = []
  for (const [operation, measured, floor] of [
    [OPEN, () => openSession(large.path), () => openSession(small.path)],
    [RARE, () => inLarge.grep({ query: rareLarge }), () => inSmall.grep({ query: rareSmall })],
    [COMMON, () => inLarge.grep({ query: COMMON_WORD }), () => inSmall.grep({ query: COMMON_WORD })],
    ['lcm_expand_query', () => inLarge.expandQuery(asked), () => inSmall.expandQuery(asked)],
  ] as const)
    rows.push(
      timeRow(
        growthRow(operation, large, small, isJudged),
        await timePair(ready(measured), ready(floor), OFTEN),
      ),
    )
  await Promise.all([inLarge.close(), inSmall.close()])
  return rows
}

const PAGE = 30

async function openGrepTool(path: string) {
  const store = createSqliteStore({ path })
  const session = await store.session(SESSION, timeOf(0))
  const call = await openGrep(session)
  const expandQuery = await openGrep(session, 'lcm_expand_query')
  return {
    search: call,
    /** The newest ten hits, or what the arguments ask for. Throws when there is none. */
    async grep(args: object): Promise<unknown> {
      const { hits } = await call(args)
      if (hits.length === 0) throw new Error(`nothing was found: ${JSON.stringify(args)}`)
      return hits
    },
    expandQuery,
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

/** `lcm_grep` of a session, or another tool, as an engine offers it: with the head and the frontier in memory. It throws what a model would be told. */
export async function openGrep(
  session: LcmSession,
  name = 'lcm_grep',
): Promise<(args: object) => Promise<GrepAnswer>> {
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
    const answer = JSON.parse(await tools.call(name, args)) as GrepAnswer
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer
  }
}

type GrepAnswer = { readonly error?: string; readonly hits: readonly unknown[]; readonly next: string | null }
