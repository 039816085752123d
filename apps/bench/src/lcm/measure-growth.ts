import { type RatioRow, timeRow } from '../speed/ratio-row.ts'
import { timePair } from '../speed/time.ts'
import { COMMON_WORD } from '../workload/search-words.ts'
import { openGrepTool } from './grep-tool.ts'
import { FLAT, growthOf, sameAt } from './growth.ts'
import { OPEN, openSession } from './measure-open.ts'
import { COMMON, RARE, rareWord } from './measure-search.ts'

/** A filled store. */
export interface StoreFile {
  readonly path: string
  readonly messages: number
}

export interface GrowthInput {
  readonly large: StoreFile
  readonly small: StoreFile
  readonly seed: number
  /** Share of the usual repetitions. */
  readonly effort: number
}

const RUNS = 60
/** Searches are judged against a store of at least so many messages: a smaller one is in the caches as a whole. */
export const FLAT_FROM = 10_000

/** What opening and searching cost in a large store, over what they cost in a small one, measured in turn. */
export async function measureGrowth({ large, small, seed, effort }: GrowthInput): Promise<RatioRow[]> {
  const runs = Math.ceil(RUNS * effort)
  const row = (operation: string) => ({
    operation: growthOf(operation),
    messages: large.messages,
    against: sameAt(small.messages),
    ...(small.messages >= FLAT_FROM && { target: FLAT }),
  })
  const [inLarge, inSmall] = [await openGrepTool(large.path), await openGrepTool(small.path)]
  const search = (word: (file: StoreFile) => string) => {
    const prepare = () => undefined
    return timePair(
      { prepare, run: () => inLarge.grep({ query: word(large) }) },
      { prepare, run: () => inSmall.grep({ query: word(small) }) },
      runs,
      1,
    )
  }
  const rare = new Map([large, small].map((file) => [file, rareWord(seed, file.messages)]))
  const rows = [
    timeRow(row(OPEN), await timePair(openSession(large.path), openSession(small.path), runs, 1)),
    timeRow(row(RARE), await search((file) => rare.get(file) ?? '')),
    timeRow(row(COMMON), await search(() => COMMON_WORD)),
  ]
  await Promise.all([inLarge.close(), inSmall.close()])
  return rows
}
