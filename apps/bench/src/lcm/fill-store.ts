import { stat } from 'node:fs/promises'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import type { Progress } from '../progress.ts'
import { type RatioRow, ratioRow } from '../speed/ratio-row.ts'
import { addSummaries } from './add-summaries.ts'
import { buildStore } from './build-store.ts'
import type { StoreFile } from './measure-growth.ts'
import { SESSION, timeOf } from './sessions.ts'

export const SIZE = 'size of the file'

export interface FillInput {
  readonly path: string
  readonly seed: number
  readonly messages: number
  readonly progress: Progress
}

/** Fills a store, covers it with summaries, and compares the size of its file with that of the messages in it. */
export async function fillStore({
  path,
  seed,
  messages,
  progress,
}: FillInput): Promise<{ readonly file: StoreFile; readonly rows: readonly RatioRow[] }> {
  const title = messages.toLocaleString('en-US')
  progress.step(`${title} messages: write them`)
  const store = createSqliteStore({ path })
  const built = await buildStore(store, { seed, messages, onProgress: progress.done })
  // Closing moves the log into the file.
  await store.close()
  const { size } = await stat(path)
  progress.step(`${title} messages: summarise them`)
  const again = createSqliteStore({ path })
  const count = built.tokens.length
  await addSummaries(await again.session(SESSION, timeOf(count)), built)
  await again.close()
  const row = ratioRow({
    operation: SIZE,
    messages: count,
    unit: 'bytes',
    measured: size,
    floor: built.jsonBytes,
    against: 'the messages as JSON lines',
    target: 1.6,
  })
  return { file: { path, messages: count }, rows: [row] }
}
