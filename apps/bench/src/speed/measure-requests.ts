import {
  type AssistantMessage,
  type ContextSession,
  countMessages,
  createContextSession,
  type Message,
  type TokenCounter,
} from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { fixedClock } from '../arms/arm.ts'
import { ENGINES, type Engine, usageOf } from '../arms/engines.ts'
import { type Request, requestsOf } from '../arms/play-arm.ts'
import { cpuTime, createSamples, type RatioRow, type Samples, timeRow } from './time.ts'

/** Requests that are measured at each size: the last ones before the history is so long. */
const REQUESTS = 100
const LEAST_REQUESTS = 5
const AGAINST = 'JSON.stringify of the request'

export const GROWING = 'prepare and observe, new messages'

interface RequestsInput {
  readonly subject: Engine
  readonly messages: readonly Message[]
  readonly sizes: readonly number[]
  readonly effort: number
  readonly onSize: (messages: number) => void
}

/**
 * A session's time between two answers, at several lengths. The floor is writing the request, which a host has to do anyway.
 */
export async function measureRequests(input: RequestsInput): Promise<RatioRow[]> {
  const { subject, messages, effort, onSize } = input
  const tokens = createTokenCounter()
  const session = openSession(subject, tokens)
  const count = Math.max(LEAST_REQUESTS, Math.round(REQUESTS * effort))
  const measured: { readonly size: number; readonly samples: Samples<Kind> }[] = []
  for (const size of input.sizes.toSorted((a, b) => a - b)) {
    onSize(size)
    const requests = requestsOf(messages.slice(0, size))
    await catchUp(session, { messages, requests: requests.slice(0, -count), tokens })
    const samples = await timeRequests(session, { messages, requests: requests.slice(-count), tokens })
    measured.push({ size, samples })
  }
  await session.end()
  return measured.map(({ size, samples }) =>
    timeRow(
      { operation: `${subject.name}: ${GROWING}`, messages: size, against: AGAINST },
      samples.pair('growing', 'floor'),
    ),
  )
}

type Kind = 'growing' | 'floor'

async function timeRequests(session: ContextSession, input: PlayInput): Promise<Samples<Kind>> {
  const samples = createSamples<Kind>(cpuTime)
  for (const { length, answer } of input.requests) {
    const list = input.messages.slice(0, length)
    const start = cpuTime()
    const { messages } = await session.prepare(list)
    const prepared = cpuTime() - start
    await samples.time('floor', () => JSON.stringify(messages))
    const response = answered(messages, answer, input.tokens)
    const observeStart = cpuTime()
    await session.observe(response)
    samples.add('growing', prepared + cpuTime() - observeStart)
  }
  return samples
}

/** Engines as a user gets them, without a model and without a file. */
export const SUBJECTS: readonly Engine[] = ENGINES.filter(({ name }) => name !== 'compressor classic')

const CONTEXT_LENGTH = 200_000

/** A session of an engine whose counter is calibrated, as a user's is. */
function openSession({ engine, options }: Engine, tokens: TokenCounter): ContextSession {
  return createContextSession({
    engine,
    options,
    tokens,
    contextLength: CONTEXT_LENGTH,
    clock: fixedClock(),
    sessionId: 'bench',
  })
}

/** Messages that come at once where nothing is measured. */
const STRIDE = 100

export interface PlayInput {
  readonly messages: readonly Message[]
  readonly requests: readonly Request[]
  readonly tokens: TokenCounter
}

/** Sends some of the requests, about one for each hundred messages: the history grows, and is compacted when it is due. */
async function catchUp(session: ContextSession, { messages, requests, tokens }: PlayInput): Promise<void> {
  for (const { length, answer } of requests) {
    if (length < session.transcript.length + STRIDE) continue
    const request = await session.prepare(messages.slice(0, length))
    await session.observe(answered(request.messages, answer, tokens))
  }
}

/** A provider's report of a request, by our own counter. */
export function answered(request: readonly Message[], answer: AssistantMessage, tokens: TokenCounter) {
  return { message: answer, usage: usageOf(countMessages(tokens, request), tokens.countMessage(answer)) }
}
