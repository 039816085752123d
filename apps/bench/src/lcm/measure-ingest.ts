import { countMessages, type Message, roughTokenCounter } from '@palimpsest/core'
import type { LcmSession } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import { type RatioRow, timeRow } from '../speed/ratio-row.ts'
import { createSamples } from '../speed/time.ts'
import { encodeAll } from './fill-session.ts'
import { BULK } from './fill-store.ts'
import { openRaw, type RawFile } from './raw-file.ts'
import { inBatches, inTurns, lcmWorkload, type MeasureInput, SESSION, timeOf } from './workload.ts'

const BLOCKS = 9
const TURNS = 10
const BULKS = 1
/** A conversation that is long enough for all of them. It is made while it is read. */
const MESSAGES = 1_000_000

const TURN = 'write a turn'
const IN_BULK = `write ${BULK} messages at once`

/** Writing into a store, beside plain inserts of the same rows into a copy of its file. Reading them back is not timed. */
export async function measureIngest(input: MeasureInput & { readonly copy: string }): Promise<RatioRow[]> {
  const { path, copy, messages, seed } = input
  const blocks = Math.ceil(BLOCKS * input.effort)
  const store = createSqliteStore({ path })
  const session = await store.session(SESSION, timeOf(messages))
  const pair = { session, written: openRaw(path), floor: openRaw(copy), blocks }
  const next = (offset: number) => withoutSystem(lcmWorkload(seed + offset, MESSAGES).messages)
  const turns = await writeBlocks(inTurns(next(2)), Math.ceil(TURNS * Math.min(1, input.effort)), pair)
  const bulks = await writeBlocks(inBatches(next(3), BULK), BULKS, pair)
  pair.written.close()
  pair.floor.close()
  await store.close()
  const against = 'inserts of the same rows'
  return [
    timeRow({ operation: TURN, messages, against, target: 1.3 }, turns),
    timeRow({ operation: IN_BULK, messages, against, target: 2 }, bulks),
  ]
}

interface Pair {
  readonly session: LcmSession
  readonly written: RawFile
  readonly floor: RawFile
  readonly blocks: number
}

async function writeBlocks(
  lists: Iterator<Message[]>,
  perBlock: number,
  { session, written, floor, blocks }: Pair,
) {
  const samples = createSamples<'measured' | 'floor'>()
  let { nextSeq } = await session.head()
  // The first block warms the caches. One alone is a trial, whose figures say nothing.
  for (let block = blocks > 1 ? -1 : 0; block < blocks; block++) {
    const sum = { measured: 0, floor: 0 }
    for (let count = 0; count < perBlock; count++) {
      const list = lists.next().value ?? []
      // The engine counts a message for the budget of its request anyway.
      countMessages(roughTokenCounter, list)
      const start = performance.now()
      const encoded = encodeAll(list)
      await session.append({ nextSeq, messages: encoded, at: timeOf(nextSeq) })
      const end = performance.now()
      const rows = written.rowsFrom(nextSeq)
      const floorStart = performance.now()
      floor.write(rows)
      sum.floor += performance.now() - floorStart
      sum.measured += end - start
      nextSeq += list.length
    }
    samples.isCounting = block >= 0
    samples.add('measured', sum.measured / perBlock)
    samples.add('floor', sum.floor / perBlock)
  }
  return {
    measured: samples.timing('measured'),
    floor: samples.timing('floor'),
  }
}

function* withoutSystem(messages: Iterable<Message>): Generator<Message, undefined> {
  for (const message of messages) if (message.role !== 'system') yield message
}
