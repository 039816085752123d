import compressor from '@palimpsest/compressor'
import { countMessages, createContextSession, type EngineHost, type Message } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { fixedClock } from '../arms/arm.ts'
import { ENGINES, type Engine, usageOf } from '../arms/engines.ts'
import { requestsOf } from '../arms/play-arm.ts'
import type { Progress } from '../progress.ts'
import { generateConversation } from '../workload/conversation.ts'
import { createSamples, type RatioRow, spent, timeRow } from './time.ts'

interface SpeedInput {
  readonly seed: number
  readonly sizes: readonly number[]
  readonly effort?: number
  readonly progress: Progress
}

export type SpeedReport = Awaited<ReturnType<typeof runSpeed>>

const LONGEST_LIST = 10_000

export async function runSpeed({ seed, sizes: given, effort = 1, progress }: SpeedInput) {
  const sizes = given.toSorted((a, b) => a - b)
  const rows: RatioRow[] = []
  for (const size of sizes.filter((each) => each <= LONGEST_LIST)) {
    progress(`compactions, ${size} messages`)
    rows.push(await measureCompress(generateConversation({ seed, messages: size }), effort))
  }
  const messages = generateConversation({ seed, messages: sizes.at(-1) ?? 0 })
  for (const engine of ENGINES) {
    progress(`requests of ${engine.name}`)
    rows.push(...(await measureRequests({ engine, messages, sizes, effort })))
  }
  return { seed, rows }
}

const CONTEXT_LENGTH = 200_000

async function measureCompress(list: readonly Message[], effort: number): Promise<RatioRow> {
  const tokens = createTokenCounter()
  countMessages(tokens, list)
  const host: EngineHost = {
    contextLength: CONTEXT_LENGTH,
    maxOutputTokens: 0,
    tokens,
    clock: { now: () => 0 },
    sessionId: 'bench',
  }
  const compress = async () => {
    const engine = compressor.create({}, host)
    await engine.ingest({ messages: list, from: 0 })
    return () => engine.compress({ messages: list })
  }
  const operation = 'compress, without a model'
  const labels = { operation, messages: list.length, against: 'JSON.stringify of the messages' }
  return timeRow(labels, compress, () => JSON.stringify(list), Math.ceil(10 * effort))
}

const REQUESTS = 100
const LEAST_REQUESTS = 5
const STRIDE = 100

interface RequestsInput {
  readonly engine: Engine
  readonly messages: readonly Message[]
  readonly sizes: readonly number[]
  readonly effort: number
}

/** A session's time between two answers with default settings: no model, no file. The floor is writing the request. */
async function measureRequests({ engine: subject, messages, sizes, effort }: RequestsInput) {
  const tokens = createTokenCounter()
  const { engine, options } = subject
  const session = createContextSession({
    engine,
    options,
    tokens,
    contextLength: CONTEXT_LENGTH,
    clock: fixedClock(),
    sessionId: 'bench',
  })
  const count = Math.max(LEAST_REQUESTS, Math.round(REQUESTS * effort))
  const rows: RatioRow[] = []
  for (const size of sizes) {
    const requests = requestsOf(messages.slice(0, size))
    const samples = createSamples()
    for (const [index, { length, answer }] of requests.entries()) {
      const isMeasured = index >= requests.length - count
      if (!isMeasured && length < session.transcript.length + STRIDE) continue
      const list = messages.slice(0, length)
      let shown: readonly Message[] = []
      const prepared = await spent(async () => {
        shown = (await session.prepare(list)).messages
      })
      const floor = await spent(() => JSON.stringify(shown))
      const usage = usageOf(countMessages(tokens, shown), tokens.countMessage(answer))
      const observed = await spent(() => session.observe({ message: answer, usage }))
      if (isMeasured) samples.add(prepared + observed, floor)
    }
    rows.push(
      samples.row({
        operation: `${subject.name}: prepare and observe, new messages`,
        messages: size,
        against: 'JSON.stringify of the request',
      }),
    )
  }
  await session.end()
  return rows
}
