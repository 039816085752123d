import type { Message } from '@palimpsest/core'
import { type LcmSession, type LcmStore, lcm } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import { type RatioRow, ratioRow, timeRow } from '../speed/ratio-row.ts'
import { createSamples } from '../speed/time.ts'
import { encodeAll } from './fill-session.ts'
import { benchHost, CONTEXT_LENGTH } from './resume-engine.ts'
import { growthRow, lcmWorkload, type MeasureInput, SESSION, START } from './workload.ts'

/** The longest history that is swept, in messages. A half and a quarter of it are swept too. */
const MOST = 20_000
const ROUNDS = 3

/** One `compress` over a stored history that was never compacted. `messages` of the input bounds its length. */
export async function measureSweep(input: MeasureInput): Promise<RatioRow[]> {
  const whole = [...lcmWorkload(input.seed + 5, Math.min(MOST, input.messages)).messages]
  const store = createSqliteStore({ path: input.path })
  const session = await store.session(SESSION, START)
  await session.append({ nextSeq: 0, messages: encodeAll(whole), at: START })
  const lists = [4, 2, 1].map((part) => wholeTurns(whole, Math.floor(whole.length / part)))
  const samples = lists.map(() => createSamples<'measured' | 'floor'>())
  for (let round = 0; round < Math.ceil(ROUNDS * input.effort); round++)
    for (const [index, list] of lists.entries()) {
      const elapsed = await sweep({ store, session, list, key: `sweep-${round}-${index}` })
      samples[index]?.add('measured', elapsed)
      await samples[index]?.time('floor', () => JSON.stringify(list))
    }
  await store.close()
  const rows = samples.map((sample, index) =>
    timeRow(
      {
        operation: 'sweep over an uncompacted history',
        messages: lists[index]?.length ?? 0,
        against: 'JSON.stringify of it',
      },
      { measured: sample.timing('measured'), floor: sample.timing('floor') },
    ),
  )
  const [small, large] = [rows[0], rows.at(-1)]
  if (small === undefined || large === undefined) return rows
  const linear = ratioRow({
    ...growthRow('sweep, for 1,000 messages', large, small),
    unit: 'ms',
    measured: (large.measured / large.messages) * 1000,
    floor: (small.measured / small.messages) * 1000,
  })
  return [...rows, linear]
}

/** Milliseconds of one compaction of everything. A fork shares the stored messages and has no summaries. */
async function sweep({
  store,
  session,
  list,
  key,
}: {
  readonly store: LcmStore
  readonly session: LcmSession
  readonly list: readonly Message[]
  readonly key: string
}): Promise<number> {
  await session.fork({ key, seq: list.length, summaries: [], at: START })
  const engine = lcm.create({ store }, benchHost(key))
  // The engine's work on arriving messages is not measured here.
  await engine.ingest({ messages: list, from: 0 })
  const start = performance.now()
  const result = await engine.compress({ messages: list, currentTokens: CONTEXT_LENGTH, force: true })
  const elapsed = performance.now() - start
  await engine.dispose()
  if (result.outcome !== 'compacted') throw new Error(`nothing was compacted: ${result.reason}`)
  return elapsed
}

function wholeTurns(messages: readonly Message[], most: number): readonly Message[] {
  if (messages.length <= most) return messages
  const end = messages.findLastIndex(({ role }, index) => role === 'user' && index <= most)
  return messages.slice(0, end)
}
