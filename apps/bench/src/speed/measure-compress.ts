import compressor, { type CompressorOptions } from '@palimpsest/compressor'
import {
  copyValue,
  countMessages,
  type EngineHost,
  freezeMessage,
  type Message,
  type TokenCounter,
} from '@palimpsest/core'
import { createStubModel, type StubModel, SUMMARY } from '../workload/stub-model.ts'
import { type SpeedRow, speedRow } from './speed-row.ts'
import { type Repetitions, timePair } from './time.ts'

export interface CompressInput extends Repetitions {
  readonly messages: readonly Message[]
  readonly tokens: TokenCounter
  readonly profile: NonNullable<CompressorOptions['profile']>
}

/** What a compaction may cost, as a multiple of its floor. */
const COMPRESS_TARGET = 2

/** The floor of a compaction: serialising what it compacts, once. */
export const stringifyFloor = (messages: readonly Message[]) => ({
  prepare: () => messages,
  run: (list: readonly Message[]) => JSON.stringify(list),
})

/**
 * `compress` without model time, as a session calls it (each message was ingested when it came), and cold (the
 * counts are known, nothing else is), and with the offline summariser.
 */
export async function measureCompress({
  messages,
  tokens,
  profile,
  runs,
  warmUp,
}: CompressInput): Promise<SpeedRow[]> {
  const size = { messages: messages.length, tokens: countMessages(tokens, messages) }
  const create = (model: StubModel | undefined) => {
    const host: EngineHost = {
      contextLength: 200_000,
      maxOutputTokens: 0,
      tokens,
      clock: { now: () => 0 },
      sessionId: 'bench',
      ...(model !== undefined && { model }),
    }
    return compressor.create({ profile }, host)
  }
  const ingested = (createModel: () => StubModel | undefined) => ({
    async prepare() {
      const engine = create(createModel())
      await engine.ingest({ messages, from: 0 })
      return engine
    },
    run: (engine: ReturnType<typeof create>) => engine.compress({ messages }),
  })
  /** A summary that was never seen has to be tokenised; one that comes again is remembered. */
  let summaries = 0
  const newSummary = () => createStubModel(`${SUMMARY}- Summary ${summaries++}.`)
  /** Messages that nobody has looked at, except that their tokens are counted. */
  const unseen = () => {
    const fresh = messages.map((message) => freezeMessage(copyValue(message)))
    countMessages(tokens, fresh)
    return { engine: create(createStubModel()), fresh }
  }
  type Unseen = ReturnType<typeof unseen>
  const cold = { prepare: unseen, run: ({ engine, fresh }: Unseen) => engine.compress({ messages: fresh }) }
  const ingest = {
    prepare: unseen,
    run: ({ engine, fresh }: Unseen) => engine.ingest({ messages: fresh, from: 0 }),
  }
  const floor = stringifyFloor(messages)
  return [
    speedRow(
      `compress, ${profile}, stub model`,
      size,
      await timePair(
        ingested(() => createStubModel()),
        floor,
        runs,
        warmUp,
      ),
      COMPRESS_TARGET,
    ),
    speedRow(
      `compress, ${profile}, stub model, never the same summary`,
      size,
      await timePair(ingested(newSummary), floor, runs),
    ),
    speedRow(
      `compress, ${profile}, offline`,
      size,
      await timePair(
        ingested(() => undefined),
        floor,
        runs,
        warmUp,
      ),
    ),
    speedRow(
      `ingest, ${profile}, each message once`,
      size,
      await timePair(ingest, floor, Math.min(runs, 5), warmUp),
    ),
    speedRow(
      `compress, ${profile}, stub model, nothing ingested`,
      size,
      await timePair(cold, floor, Math.min(runs, 5), warmUp),
    ),
  ]
}
