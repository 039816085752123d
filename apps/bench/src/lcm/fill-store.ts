import { stat } from 'node:fs/promises'
import type { LcmStore } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import type { Progress } from '../progress.ts'
import { whole } from '../report/format.ts'
import { type RatioRow, ratioRow } from '../speed/ratio-row.ts'
import { addSummaries, type FilledSession, fillSession } from './fill-session.ts'
import { lcmWorkload, NEIGHBOUR, SESSION, START, type StoreFile, timeOf } from './workload.ts'

/** Messages of the neighbour, at least. */
const NEIGHBOUR_MESSAGES = 1_000
export const BULK = 500

export interface BuildInput {
  readonly seed: number
  readonly messages: number
  /** `done` of `messages` are written. */
  readonly onProgress?: (done: number, messages: number) => void
}

export async function buildStore(
  store: LcmStore,
  { seed, messages, onProgress = () => {} }: BuildInput,
): Promise<FilledSession> {
  const fill = async (ref: typeof SESSION, own: number, count: number, onDone = (_: number) => {}) =>
    fillSession(await store.session(ref, START), lcmWorkload(own, count).messages, {
      batch: BULK,
      onProgress: onDone,
    })
  const before = await fill(NEIGHBOUR, seed + 1, NEIGHBOUR_MESSAGES)
  const filled = await fill(SESSION, seed, messages, (done) => onProgress(done, messages))
  return { ...filled, jsonBytes: before.jsonBytes + filled.jsonBytes }
}

export interface FillInput {
  readonly path: string
  readonly seed: number
  readonly messages: number
  readonly progress: Progress
}

export async function fillStore({
  path,
  seed,
  messages,
  progress,
}: FillInput): Promise<{ readonly file: StoreFile; readonly row: RatioRow }> {
  progress.step(`${whole(messages)} messages: write them`)
  const store = createSqliteStore({ path })
  const built = await buildStore(store, { seed, messages, onProgress: progress.done })
  // Closing moves the log into the file.
  await store.close()
  const { size } = await stat(path)
  progress.step(`${whole(messages)} messages: summarise them`)
  const again = createSqliteStore({ path })
  const count = built.tokens.length
  await addSummaries({ ...built, session: await again.session(SESSION, timeOf(count)) })
  await again.close()
  const row = ratioRow({
    operation: 'size of the file',
    messages: count,
    unit: 'bytes',
    measured: size,
    floor: built.jsonBytes,
    against: 'the messages as JSON lines',
    target: 1.6,
  })
  return { file: { path, messages: count }, row }
}
