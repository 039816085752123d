import {
  type ContextEngine,
  copyValue,
  countMessages,
  type EngineHost,
  freezeMessage,
  type Message,
  type Origin,
  placeSummary,
  roughTokenCounter,
} from '@palimpsest/core'
import { type LcmStore, lcm } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import { createSamples, type RatioRow, timeRow } from '../speed/time.ts'
import { createStubModel } from '../workload/stub-model.ts'
import type { GrowthInput } from './measure-search.ts'
import { growthRow, inTurns, lcmWorkload, SESSION, timeOf } from './workload.ts'

/** Turns before the first that counts, and turns that count: a compaction comes every ten turns or so. */
const WARM_UP = 20
const TURNS = 160

/** The same turns in a large and a small store in turn: a turn and a compaction must cost the same. Both files are changed. */
export async function measureEngine({ large, small, seed }: GrowthInput): Promise<RatioRow[]> {
  const inLarge = await createPlayer(large.path)
  const inSmall = await createPlayer(small.path)
  const turns = inTurns(lcmWorkload(seed + 4, 1_000_000).messages)
  for (let index = -WARM_UP; index < TURNS; index++) {
    const turn = (turns.next().value ?? []).filter(({ role }) => role !== 'system')
    for (const player of index % 2 === 0 ? [inLarge, inSmall] : [inSmall, inLarge])
      await player.play(
        turn.map((message) => freezeMessage(copyValue(message))),
        index >= 0,
      )
  }
  await Promise.all([inLarge.close(), inSmall.close()])
  const compare = (operation: string, key: 'turn' | 'leaf') =>
    timeRow(growthRow(operation, large, small), {
      measured: inLarge.samples.timing(key),
      floor: inSmall.samples.timing(key),
    })
  return [
    compare('turn: ingest, trigger check, context', 'turn'),
    compare('compaction, for each leaf', 'leaf'),
    timeRow(
      {
        operation: 'assemble the context, summaries ready',
        messages: large.messages,
        against: 'JSON.stringify of the list',
        target: 2.5,
      },
      inLarge.samples.pair('assemble', 'stringify'),
    ),
  ]
}

/** A host of one engine. Every other compaction is prepared in the background, so that only its assembly is waited for. */
async function createPlayer(path: string) {
  const store = createSqliteStore({ path })
  const { engine, list } = await resumeEngine(store)
  const session = await store.session(SESSION, timeOf(0))
  const samples = createSamples<'turn' | 'leaf' | 'assemble' | 'stringify'>()
  let context: readonly Message[] = list
  let origins: readonly Origin[] = list.map((_, index) => told(index))
  let length = list.length
  let compactions = 0
  return {
    async play(turn: readonly Message[], counts: boolean): Promise<void> {
      samples.isCounting = counts
      const promptTokens = countMessages(roughTokenCounter, [...context, ...turn])
      const isDue = await samples.time('turn', async () => {
        await engine.ingest({ messages: turn, from: length })
        const due = engine.shouldCompress({ promptTokens })
        context = await engine.pruneToolResults([...context, ...turn])
        return due
      })
      origins = [...origins, ...turn.map((_, index) => told(length + index))]
      length += turn.length
      if (!isDue) return
      const isPrepared = compactions++ % 2 === 1
      if (isPrepared) await prepare(engine, context, promptTokens)
      const before = await session.head()
      const start = performance.now()
      const result = await engine.compress({ messages: context, origins, currentTokens: promptTokens })
      const elapsed = performance.now() - start
      if (result.outcome !== 'compacted') throw new Error(`nothing was compacted: ${result.reason}`)
      if (isPrepared) {
        samples.add('assemble', elapsed)
        await samples.time('stringify', () => JSON.stringify(context))
      } else samples.add('leaf', elapsed / ((await session.head()).nextSummary - before.nextSummary))
      const known = new Map(context.map((message, index) => [message, origins[index]]))
      origins = result.messages.map((message) => known.get(message) ?? { from: 'summary', of: [] })
      context = result.messages
    },
    samples,
    async close() {
      await engine.dispose()
      await store.close()
    },
  }
}

/** A message of the host's list, where a session knows it. */
const told = (index: number): Origin => ({ from: 'transcript', index, whole: true })

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

/** Tokens of the model's window. */
const CONTEXT_LENGTH = 200_000

function benchHost(sessionId: string): EngineHost {
  return {
    contextLength: CONTEXT_LENGTH,
    maxOutputTokens: 0,
    tokens: roughTokenCounter,
    clock: { now: () => timeOf(2_000_000) },
    model: createStubModel(),
    sessionId,
  }
}

/** Goes on with a stored session as a host does that kept the last projection; returns that projection too. */
async function resumeEngine(store: LcmStore) {
  const session = await store.session(SESSION, timeOf(0))
  const { nodes } = await session.frontier()
  const covered = nodes.at(-1)?.last ?? 0
  const [system] = await session.messages({ limit: 1 })
  const tail = await session.messages({ first: covered + 1, limit: 1_000 })
  const blocks = nodes.map(
    ({ number, depth, first, last, text }) =>
      `<summary id="s${number}" depth="${depth}" messages="m${first}-m${last}">\n${text}\n</summary>`,
  )
  const [head, ...rest] = [...(system === undefined ? [] : [system]), ...tail].map(
    ({ json }) => JSON.parse(json) as Message,
  )
  const list = placeSummary({
    head: head === undefined ? [] : [head],
    summary: blocks.join('\n\n'),
    tail: rest,
  })
  const before = await session.head()
  const engine = lcm.create({ store }, benchHost(SESSION.key))
  await engine.onSessionStart({ sessionId: SESSION.key, contextLength: engine.contextLength })
  await engine.ingest({ messages: list, from: 0 })
  const { nextSeq, replaced } = await session.head()
  if (nextSeq !== before.nextSeq || replaced.length > 0)
    throw new Error('the engine did not recognise its own projection; the figures would be wrong')
  return { engine, list }
}
