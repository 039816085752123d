import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { timePair } from '../speed/time.ts'
import { COMMON_WORD, RARE_CJK } from '../workload/search-words.ts'
import { openGrepTool } from './grep-tool.ts'
import { judge, type LcmRow, timeRow } from './lcm-row.ts'
import {
  COMMON,
  RARE,
  RARE_CHINESE,
  REGEX,
  REGEX_SEARCH,
  rareWord,
  type SearchInput,
  searchRuns,
} from './measure-search.ts'
import { openRaw } from './raw-file.ts'
import type { Ripgrep } from './ripgrep.ts'

const AGAINST = 'ripgrep over the same text'

/**
 * The tool's searches against ripgrep, its start included, over the text of the same messages: a file with a line for each.
 * The tool gives the newest ten with snippets, ripgrep counts all, which is less work for a hit and more hits. `text`: where
 * the file goes for a while.
 */
export async function measureRipgrep(
  { path, messages, seed, effort }: SearchInput,
  { ripgrep, text }: { readonly ripgrep: Ripgrep; readonly text: string },
): Promise<LcmRow[]> {
  await writeText(path, text)
  const tool = await openGrepTool(path)
  const prepare = () => undefined
  const compare = async (
    operation: string,
    pattern: string,
    search: () => Promise<unknown>,
    runs: number,
  ) => {
    const floor = { prepare, run: () => ripgrep.countLines(pattern, text) }
    const times = await timePair({ prepare, run: search }, floor, runs, 1)
    return timeRow({ operation, messages, against: AGAINST }, times)
  }
  const newest = (operation: string, query: string, mode?: 'substring') =>
    compare(operation, query, () => tool.grep({ query, ...(mode && { mode }) }), Math.ceil(9 * effort))
  const rows = [
    await newest(RARE, rareWord(seed, messages)),
    await newest(COMMON, COMMON_WORD),
    await newest(RARE_CHINESE, RARE_CJK, 'substring'),
    await compare(REGEX_SEARCH, REGEX, () => tool.countMatches(REGEX), searchRuns(messages, effort)),
    judge({
      operation: `${REGEX_SEARCH}: hits`,
      messages,
      unit: 'messages',
      measured: await tool.countMatches(REGEX),
      floor: await ripgrep.countLines(REGEX, text),
      against: AGAINST,
      exactly: 1,
    }),
  ]
  await tool.close()
  await rm(text)
  return rows
}

/** Writes the text of each message of a store in one line. */
async function writeText(path: string, text: string): Promise<void> {
  const raw = openRaw(path)
  const file = createWriteStream(text)
  const select = raw.database.prepare('SELECT text FROM message WHERE id >= ? AND id < ? ORDER BY id')
  for (const row of select.iterate(raw.from, raw.to))
    if (!file.write(`${String(row.text).replaceAll(/\s*[\r\n]\s*/g, ' ')}\n`)) await once(file, 'drain')
  file.end()
  await finished(file)
  raw.close()
}
