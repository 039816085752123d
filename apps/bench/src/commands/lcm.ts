import { copyFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillStore } from '../lcm/fill-store.ts'
import { measureEngine } from '../lcm/measure-engine.ts'
import { measureIngest } from '../lcm/measure-ingest.ts'
import {
  FLAT_FROM,
  measureGrowth,
  measureOpen,
  measureScans,
  measureTerms,
  measureWords,
} from '../lcm/measure-search.ts'
import { createScratchFolder, findShortage } from '../lcm/scratch-folder.ts'
import type { StoreFile } from '../lcm/workload.ts'
import type { Progress } from '../progress.ts'
import { whole } from '../report/section.ts'
import { promisesText, type RatioRow, ratioTable } from '../speed/time.ts'
import { defineMeasure } from './define-measure.ts'
import { option, parseStoreSizes, SEED } from './options.ts'
import { UsageError } from './usage-error.ts'

const EXAMPLES = `
Examples:
  bench lcm                                 about three minutes, 2 GB in the folder for temporary files
  bench lcm --messages 1000,10000           some seconds
  bench lcm --messages 10000,1000000 --json lcm.json
                                            about half an hour, 18 GB; refuses when they do not fit`

export const lcm = defineMeasure<LcmReport>({
  description: 'what the lossless engine and its store cost, from 1,000 to 1,000,000 messages',
  options: [
    option('--messages <list>', 'sizes of the stores', parseStoreSizes, [1000, 10_000, 100_000]),
    SEED,
  ],
  examples: EXAMPLES,
  async run({ messages, seed }, { progress }) {
    const shortage = await findShortage(tmpdir(), Math.max(...messages))
    if (shortage !== undefined) throw new UsageError(shortage)
    return runLcm(messages, seed, progress)
  },
  sections: ({ sqlite, seed, rows }) => [
    {
      title: 'The lossless engine and its store',
      text: `Every floor was measured in turn with its figure, in one run. SQLite ${sqlite}, seed ${seed}. ${promisesText(rows)}`,
      table: ratioTable(rows),
    },
  ],
})

type LcmReport = Awaited<ReturnType<typeof runLcm>>

/** All figures of the lossless engine, as ratios to floors of the same run. Look at `findShortage` first. */
async function runLcm(sizes: readonly number[], seed: number, progress: Progress) {
  const temporary = createScratchFolder(tmpdir())
  const scratch = temporary.path
  try {
    const rows: RatioRow[] = []
    const files: StoreFile[] = []
    for (const messages of sizes.toSorted((a, b) => a - b)) {
      const path = join(scratch, `${messages}.sqlite`)
      const { file, row } = await fillStore({ path, seed, messages, progress })
      rows.push(row, ...(await measureFile({ file, files, seed, progress, scratch })))
      files.push(file)
    }
    return { sqlite: process.versions.sqlite ?? '', seed, rows }
  } finally {
    temporary.remove()
    progress.end()
  }
}

interface FileInput {
  readonly file: StoreFile
  readonly files: readonly StoreFile[]
  readonly seed: number
  readonly progress: Progress
  readonly scratch: string
}

/** Everything about one store: by itself, and compared with smaller ones. What writes gets a copy of the file. */
async function measureFile({ file, files, seed, progress, scratch }: FileInput): Promise<RatioRow[]> {
  const step = (text: string) => progress.step(`${whole(file.messages)} messages: ${text}`)
  const input = { ...file, seed }
  step('open')
  const rows = await measureOpen(input)
  step('search')
  for (const measure of [measureWords, measureTerms, measureScans]) rows.push(...(await measure(input)))
  const small = files.find(({ messages }) => messages >= FLAT_FROM) ?? files[0]
  if (small !== undefined) rows.push(...(await measureGrowth({ large: file, small, seed })))
  step('write more')
  const write = await copies(scratch, file, file)
  rows.push(...(await measureIngest({ ...input, path: write.first, copy: write.second })))
  await write.remove()
  const [smallest] = files
  if (smallest === undefined) return rows
  step('play turns')
  const play = await copies(scratch, file, smallest)
  const [large, least] = [
    { ...file, path: play.first },
    { ...smallest, path: play.second },
  ]
  rows.push(...(await measureEngine({ large, small: least, seed })))
  await play.remove()
  return rows
}

async function copies(scratch: string, one: StoreFile, other: StoreFile) {
  const [first, second] = [join(scratch, 'first.sqlite'), join(scratch, 'second.sqlite')] as const
  await copyFile(one.path, first)
  await copyFile(other.path, second)
  const remove = () => Promise.all([first, second].map((path) => rm(path, { force: true })))
  return { first, second, remove }
}
