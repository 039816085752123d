import {
  type ContextEngine,
  copyValue,
  countMessages,
  freezeMessage,
  type Message,
  roughTokenCounter,
} from '@palimpsest/core'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import { type RatioRow, timeRow } from '../speed/ratio-row.ts'
import { summarize, type Timing } from '../speed/time.ts'
import { FLAT, growthOf, sameAt } from './growth.ts'
import type { GrowthInput } from './measure-growth.ts'
import { resumeEngine } from './resume-engine.ts'
import { SESSION, timeOf } from './sessions.ts'
import { inTurns, lcmWorkload } from './workload.ts'

/** Turns before the first that counts, and turns that count: a compaction comes every ten turns or so. */
const WARM_UP = 20
const TURNS = 160
/** Fewer hold no compaction of each kind. */
const LEAST_TURNS = 30

/**
 * Plays the same turns into a large and a small store, one after the other in turn: what a turn costs, and what a
 * compaction costs, must not depend on the history. Each gets messages of its own: what is found out about a message
 * once is remembered with it. Both files are changed.
 */
export async function measureEngine({ large, small, seed, effort }: GrowthInput): Promise<RatioRow[]> {
  const inLarge = await createPlayer(large.path)
  const inSmall = await createPlayer(small.path)
  const turns = inTurns(lcmWorkload(seed + 4, 1_000_000).messages)
  for (let index = -Math.ceil(WARM_UP * effort); index < Math.max(LEAST_TURNS, TURNS * effort); index++) {
    const turn = (turns.next().value ?? []).filter(({ role }) => role !== 'system')
    for (const player of index % 2 === 0 ? [inLarge, inSmall] : [inSmall, inLarge])
      await player.play(
        turn.map((message) => freezeMessage(copyValue(message))),
        index >= 0,
      )
  }
  await Promise.all([inLarge.close(), inSmall.close()])
  const { messages } = large
  const compare = (operation: string, key: 'turn' | 'leaf') =>
    timeRow(
      { operation: growthOf(operation), messages, against: sameAt(small.messages), target: FLAT },
      { measured: inLarge.times()[key], floor: inSmall.times()[key] },
    )
  const { assemble, stringify } = inLarge.times()
  return [
    compare(TURN, 'turn'),
    compare(LEAF, 'leaf'),
    timeRow(
      { operation: ASSEMBLE, messages, against: 'JSON.stringify of the list', target: 2.5 },
      { measured: assemble, floor: stringify },
    ),
  ]
}

export const TURN = 'turn: ingest, trigger check, context'
export const LEAF = 'compaction, for each leaf'
const ASSEMBLE = 'assemble the context, summaries ready'

interface PlayerTimes {
  readonly turn: Timing
  readonly leaf: Timing
  readonly assemble: Timing
  readonly stringify: Timing
}

/** A host of one engine. Every other compaction is prepared in the background, so that only its assembly is waited for. */
async function createPlayer(path: string) {
  const store = createSqliteStore({ path })
  const { engine, list } = await resumeEngine(store)
  const session = await store.session(SESSION, timeOf(0))
  const samples = {
    turn: [] as number[],
    leaf: [] as number[],
    assemble: [] as number[],
    stringify: [] as number[],
  }
  let context: readonly Message[] = list
  let length = list.length
  let compactions = 0
  return {
    async play(turn: readonly Message[], counts: boolean): Promise<void> {
      const note = (key: keyof typeof samples, value: number) => counts && samples[key].push(value)
      const promptTokens = countMessages(roughTokenCounter, [...context, ...turn])
      const start = performance.now()
      await engine.ingest({ messages: turn, from: length })
      const isDue = engine.shouldCompress({ promptTokens })
      const shown = await engine.pruneToolResults([...context, ...turn])
      note('turn', performance.now() - start)
      length += turn.length
      context = shown
      if (!isDue) return
      const isPrepared = compactions++ % 2 === 1
      if (isPrepared) await prepare(engine, context, promptTokens)
      const before = await session.head()
      const compactStart = performance.now()
      const result = await engine.compress({ messages: context, currentTokens: promptTokens })
      const elapsed = performance.now() - compactStart
      if (result.outcome !== 'compacted') throw new Error(`nothing was compacted: ${result.reason}`)
      const stringifyStart = performance.now()
      JSON.stringify(context)
      const stringified = performance.now() - stringifyStart
      const created = (await session.head()).nextSummary - before.nextSummary
      context = result.messages
      if (isPrepared) {
        note('assemble', elapsed)
        note('stringify', stringified)
      } else note('leaf', elapsed / created)
    },
    times: (): PlayerTimes => ({
      turn: summarize(samples.turn),
      leaf: summarize(samples.leaf),
      assemble: summarize(samples.assemble),
      stringify: summarize(samples.stringify),
    }),
    async close() {
      await engine.dispose()
      await store.close()
    },
  }
}

/** Lets the engine write its summaries between two turns. */
async function prepare(
  engine: ContextEngine,
  messages: readonly Message[],
  promptTokens: number,
): Promise<void> {
  const usage = { promptTokens, completionTokens: 0, totalTokens: promptTokens }
  await engine.onTurnComplete({ messages, usage, interrupted: false })
  const next = [...messages, { role: 'user', content: 'Go on.' } as const]
  for (let waited = 0; !engine.shouldCompressPreflight(next); waited++) {
    if (waited > 10_000) throw new Error('nothing was prepared in the background')
    await new Promise((resolve) => setImmediate(resolve))
  }
}
