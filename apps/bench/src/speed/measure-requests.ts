import type { ContextSession, Message } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { answered, catchUp, type PlayInput, requestsOf } from './play-requests.ts'
import { type RatioRow, timeRow } from './ratio-row.ts'
import type { Subject } from './subjects.ts'
import { cpuTime, summarize, type Timing } from './time.ts'

/** Requests that are measured at each size: the last ones before the history is so long. */
const REQUESTS = 100
const LEAST_REQUESTS = 5
const AGAINST = 'JSON.stringify of the request'

export const UNCHANGED = 'prepare, history unchanged'
export const GROWING = 'prepare and observe, new messages'

export interface RequestsInput {
  readonly subject: Subject
  /** As many as the greatest size, at least. */
  readonly messages: readonly Message[]
  readonly sizes: readonly number[]
  /** Share of the usual repetitions. */
  readonly effort: number
  readonly onSize: (messages: number) => void
}

/**
 * What a session takes of a host's time between two answers of the model, in one conversation at several lengths. The floor
 * is writing the request that the session hands out, which a host has to do anyway. Of a request that compacts, the median
 * shows nothing: compactions have figures of their own.
 */
export async function measureRequests(input: RequestsInput): Promise<RatioRow[]> {
  const { subject, messages, effort, onSize } = input
  const tokens = createTokenCounter()
  const session = subject.open(tokens)
  const count = Math.max(LEAST_REQUESTS, Math.round(REQUESTS * effort))
  const samples: { readonly size: number; readonly times: RequestTimes }[] = []
  for (const size of input.sizes.toSorted((a, b) => a - b)) {
    onSize(size)
    const requests = requestsOf(messages.slice(0, size))
    await catchUp(session, { messages, requests: requests.slice(0, -count), tokens })
    const times = await timeRequests(session, { messages, requests: requests.slice(-count), tokens })
    samples.push({ size, times })
  }
  await session.end()
  const row = (operation: string, kind: 'unchanged' | 'growing') =>
    samples.map(({ size, times }) =>
      timeRow(
        { operation: `${subject.name}: ${operation}`, messages: size, against: AGAINST },
        { measured: times[kind], floor: times.floor },
      ),
    )
  return [...row(UNCHANGED, 'unchanged'), ...row(GROWING, 'growing')]
}

interface RequestTimes {
  readonly unchanged: Timing
  readonly growing: Timing
  readonly floor: Timing
}

async function timeRequests(session: ContextSession, input: PlayInput): Promise<RequestTimes> {
  const times = { unchanged: [] as number[], growing: [] as number[], floor: [] as number[] }
  for (const { length, answer } of input.requests) {
    const list = input.messages.slice(0, length)
    const start = cpuTime()
    const { messages } = await session.prepare(list)
    const prepared = cpuTime() - start

    const floorStart = cpuTime()
    JSON.stringify(messages)
    times.floor.push(cpuTime() - floorStart)

    const againStart = cpuTime()
    await session.prepare(list)
    times.unchanged.push(cpuTime() - againStart)

    const response = answered(messages, answer, input.tokens)
    const observeStart = cpuTime()
    await session.observe(response)
    times.growing.push(prepared + cpuTime() - observeStart)
  }
  return {
    unchanged: summarize(times.unchanged),
    growing: summarize(times.growing),
    floor: summarize(times.floor),
  }
}
