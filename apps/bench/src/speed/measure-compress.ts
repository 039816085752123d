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
import { type RatioRow, timeRow } from './ratio-row.ts'
import { cpuTime, type Repetitions, timePair } from './time.ts'

export interface CompressInput extends Repetitions {
  readonly messages: readonly Message[]
  readonly tokens: TokenCounter
  readonly profile: NonNullable<CompressorOptions['profile']>
}

export const PROFILES = ['lean', 'classic'] as const

/** What a compaction may cost, as a multiple of its floor. */
const COMPRESS_TARGET = 2

export const STRINGIFY = 'JSON.stringify of the messages'

/** The floor of a compaction: serialising what it compacts, once. */
export const stringifyFloor = (messages: readonly Message[]) => ({
  prepare: () => messages,
  run: (list: readonly Message[]) => JSON.stringify(list),
})

/**
 * `compress` as a session calls it (each message was ingested when it came), with a model that answers at once and with the
 * offline summariser; and `ingest`.
 */
export async function measureCompress({
  messages,
  tokens,
  profile,
  runs,
  warmUp,
}: CompressInput): Promise<RatioRow[]> {
  const row = (operation: string) => ({ operation, messages: messages.length, against: STRINGIFY })
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
  const ingest = {
    prepare: unseen,
    run: ({ engine, fresh }: Unseen) => engine.ingest({ messages: fresh, from: 0 }),
  }
  const floor = stringifyFloor(messages)
  const stub = ingested(() => createStubModel())
  const offline = ingested(() => undefined)
  const few = Math.min(runs, 5)
  return [
    timeRow(
      { ...row(`compress, ${profile}, stub model`), target: COMPRESS_TARGET },
      await timePair(stub, floor, runs, warmUp, cpuTime),
    ),
    timeRow(
      row(`compress, ${profile}, stub model, never the same summary`),
      await timePair(ingested(newSummary), floor, runs, warmUp, cpuTime),
    ),
    timeRow(row(`compress, ${profile}, offline`), await timePair(offline, floor, runs, warmUp, cpuTime)),
    timeRow(
      row(`ingest, ${profile}, each message once`),
      await timePair(ingest, floor, few, warmUp, cpuTime),
    ),
  ]
}
