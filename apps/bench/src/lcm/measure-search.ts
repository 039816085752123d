import { type RatioRow, type RowInput, ratioRow, timeRow } from '../speed/ratio-row.ts'
import { timePair } from '../speed/time.ts'
import { COMMON_WORD, RARE_CJK } from '../workload/search-words.ts'
import { openGrepTool } from './grep-tool.ts'
import { openRaw } from './raw-file.ts'
import { createRawSearch } from './raw-search.ts'
import { NEIGHBOUR } from './sessions.ts'
import { lcmWorkload } from './workload.ts'

/** Regexes that match planted facts: one with words in it, which an index knows, and one without. */
export const REGEX = 'snapshot path of K\\d+(elm|fir|cedar) is [0-9a-f]{6,8}\\b'
const BARE_REGEX = '\\b\\d{1,2}\\.\\d{1,2}\\.\\d{3}\\.'

export const RARE = 'grep: rare word'
export const COMMON = 'grep: word in 40 % of the messages'
export const RANKED = 'grep: three words, one in 40 % of the messages, ranked'
export const RARE_CHINESE = 'grep: rare Chinese'
export const REGEX_SEARCH = 'grep: regex, all matches'

const WORD_RUNS = 60

export interface SearchInput {
  readonly path: string
  readonly messages: number
  readonly seed: number
  /** Share of the usual repetitions. */
  readonly effort: number
}

/** How often a search is repeated that looks at every message: seldom where that takes long. */
export function searchRuns(messages: number, effort: number): number {
  return Math.ceil((messages > 200_000 ? 1 : messages > 20_000 ? 3 : 9) * effort)
}

/** Searches through the tool that the model calls, newest ten, with snippets and covering summaries. */
export async function measureSearch(input: SearchInput): Promise<RatioRow[]> {
  return [...(await measureWords(input)), ...(await measureScans(input))]
}

/** The key of a fact, which stands in one message. */
export function rareWord(seed: number, messages: number): string {
  return lcmWorkload(seed, messages).needles[0]?.key ?? ''
}

async function measureWords({ path, messages, seed, effort }: SearchInput): Promise<RatioRow[]> {
  const compare = async (
    operation: string,
    word: string,
    ref?: typeof NEIGHBOUR,
    more = {},
  ): Promise<RatioRow> => {
    const tool = await openGrepTool(path, ref)
    const raw = openRaw(path, ref?.key)
    const search = createRawSearch(raw)
    const row = { operation, messages, against: 'the FTS5 query', ...('order' in more ? {} : { target: 5 }) }
    const result = await time(
      row,
      () => tool.grep({ query: word, ...more }),
      () => search.words(word),
      Math.ceil(WORD_RUNS * effort),
    )
    raw.close()
    await tool.close()
    return result
  }
  return [
    await compare(RARE, rareWord(seed, messages)),
    await compare(COMMON, COMMON_WORD),
    await compare(`${COMMON}, session of 1,000 beside it`, COMMON_WORD, NEIGHBOUR),
    await compare(RANKED, COMMON_WORD, undefined, {
      query: `${COMMON_WORD} ${rareWord(seed, messages)} snapshot`,
      order: 'relevance',
    }),
  ]
}

async function measureScans({ path, messages, seed, effort }: SearchInput): Promise<RatioRow[]> {
  const tool = await openGrepTool(path)
  const raw = openRaw(path)
  const search = createRawSearch(raw)
  const runs = searchRuns(messages, effort)
  const substring = (operation: string, text: string) =>
    time(
      { operation, messages, against: 'a LIKE scan', target: 1 },
      () => tool.grep({ query: text, mode: 'substring' }),
      () => search.like(text),
      runs,
    )
  const regex = async (operation: string, pattern: string, target?: number): Promise<RatioRow[]> => {
    let found = 0
    let there = 0
    const against = 'a scan in JavaScript'
    const times = await time(
      { operation, messages, against, ...(target !== undefined && { target }) },
      async () => {
        found = await tool.countMatches(pattern)
      },
      () => {
        there = search.countMatches(pattern)
      },
      runs,
    )
    const counts = {
      operation: `${operation}: hits`,
      messages,
      unit: 'messages' as const,
      against,
      exactly: 1,
    }
    return [times, ratioRow({ ...counts, measured: found, floor: there })]
  }
  const { needles } = lcmWorkload(seed, messages)
  const part = needles.find(({ value }) => /^[0-9a-f]{8}$/.test(value))?.value.slice(1, 7) ?? ''
  const rows = [
    await substring(RARE_CHINESE, RARE_CJK),
    await substring('grep: rare substring', part),
    ...(await regex(REGEX_SEARCH, REGEX, 1)),
    ...(await regex('grep: regex without a word, all matches', BARE_REGEX)),
  ]
  raw.close()
  await tool.close()
  return rows
}

async function time(
  row: RowInput,
  measured: () => unknown,
  floor: () => unknown,
  runs: number,
): Promise<RatioRow> {
  const prepare = () => undefined
  const warmUp = runs > 3 ? 1 : 0
  return timeRow(row, await timePair({ prepare, run: measured }, { prepare, run: floor }, runs, warmUp))
}
