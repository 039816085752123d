import type { ContextSession, Message } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import type { Engine } from '../arms/engine-arm.ts'
import { requestsOf } from '../arms/play-arm.ts'
import { answered, catchUp, openSession, type PlayInput } from './play-requests.ts'
import { type RatioRow, timeRow } from './ratio-row.ts'
import { cpuTime, createSamples, type Samples } from './time.ts'

/** Requests that are measured at each size: the last ones before the history is so long. */
const REQUESTS = 100
const LEAST_REQUESTS = 5
const AGAINST = 'JSON.stringify of the request'

export const GROWING = 'prepare and observe, new messages'

export interface RequestsInput {
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
      { measured: samples.timing('growing'), floor: samples.timing('floor') },
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
