import { trimMessages } from '@langchain/core/messages'
import compressor, { type CompressorOptions } from '@palimpsest/compressor'
import {
  type CompletionModel,
  copyValue,
  countMessages,
  createContextSession,
  type EngineHost,
  estimatePrompt,
  freezeMessage,
  type Message,
  type TokenCounter,
} from '@palimpsest/core'
import { pruneMessages } from 'ai'
import { toModelMessages } from '../arms/peers/ai-sdk-prune.ts'
import { toLangChain } from '../arms/peers/langchain-transcript.ts'
import { createStubModel } from '../workload/stub-model.ts'
import { type Measured, type RatioRow, type RowsInput, ready, timeRows } from './time.ts'

export interface ListInput extends RowsInput {
  readonly list: readonly Message[]
  readonly tokens: TokenCounter
}

export const STRINGIFY = 'JSON.stringify of the messages'

export const stringifyFloor = (messages: readonly Message[]): Measured =>
  ready(() => JSON.stringify(messages))

/** Costs of an unchanged history: the estimate alone, and a whole `prepare`. */
export function measureEstimate({ list, tokens, ...input }: ListInput): Promise<RatioRow[]> {
  const session = createContextSession({
    engine: compressor,
    contextLength: 10_000_000,
    tokens,
    sessionId: 'bench',
  })
  return timeRows(input, [
    {
      operation: 'token estimate, unchanged history',
      measured: ready(() => estimatePrompt({ messages: list, tools: [], tokens })),
    },
    { operation: 'prepare, unchanged history', measured: ready(() => session.prepare(list)) },
    {
      operation: 'prepare, history parsed anew',
      measured() {
        const parsed: Message[] = JSON.parse(JSON.stringify(list))
        return () => session.prepare(parsed)
      },
    },
  ])
}

export const PROFILES = ['lean', 'classic'] as const

/** Limits for a compaction, as multiples of its floor: `lean` also quotes lines. */
const COMPRESS_TARGETS = { classic: 2, lean: 3 }
/** Each message is new once, so that a few runs tell. */
const INGEST_RUNS = 5

/** `compress` as a session calls it, with a model that answers at once and with the offline summariser; and `ingest`. */
export function measureCompress(
  { list, tokens, ...input }: ListInput,
  profile: NonNullable<CompressorOptions['profile']>,
): Promise<RatioRow[]> {
  const create = (model: CompletionModel | undefined) => {
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
  const compress =
    (createModel: () => CompletionModel | undefined): Measured =>
    async () => {
      const engine = create(createModel())
      await engine.ingest({ messages: list, from: 0 })
      return () => engine.compress({ messages: list })
    }
  const target = COMPRESS_TARGETS[profile]
  const runs = Math.min(input.runs, INGEST_RUNS)
  return timeRows(input, [
    { operation: `compress, ${profile}, stub model`, measured: compress(createStubModel), target },
    { operation: `compress, ${profile}, offline`, measured: compress(() => undefined) },
    {
      operation: `ingest, ${profile}, each message once`,
      runs,
      measured() {
        // Fresh messages, except that their tokens are counted.
        const messages = list.map((message) => freezeMessage(copyValue(message)))
        countMessages(tokens, messages)
        const engine = create(createStubModel())
        return () => engine.ingest({ messages, from: 0 })
      },
    },
  ])
}

/** The share of the tokens that trimming may keep: what our compressor keeps of a window by default is less. */
const KEPT_SHARE = 0.5

/**
 * Packages of others on the same list, in their own types. Tokens are known before: a counter would be all that is measured.
 */
export function measurePeers({ list, tokens, ...input }: ListInput): Promise<RatioRow[]> {
  const counts = new Map(list.map((message, index) => [String(index), tokens.countMessage(message)]))
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return timeRows(input, [
    {
      operation: 'LangChain trimMessages to half, counts known',
      measured() {
        const messages = list.map((message, index) => toLangChain(message, String(index)))
        return () =>
          trimMessages(messages, {
            maxTokens: Math.floor(total * KEPT_SHARE),
            tokenCounter: (some) => some.reduce((sum, { id }) => sum + (counts.get(id ?? '') ?? 0), 0),
            strategy: 'last',
            startOn: 'human',
            includeSystem: true,
          })
      },
    },
    {
      operation: 'AI SDK pruneMessages, calls before the last 3',
      measured() {
        const { messages } = toModelMessages(list)
        return () => pruneMessages({ messages, toolCalls: 'before-last-3-messages', emptyMessages: 'remove' })
      },
    },
  ])
}
