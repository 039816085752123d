import { type Message, roughTokenCounter } from '@palimpsest/core'
import { encodeMessage, type LcmSession, type LcmStore } from '@palimpsest/lcm'
import { NEIGHBOUR, SESSION, START, timeOf } from './sessions.ts'
import { inBatches, lcmWorkload } from './workload.ts'

/** Messages of the neighbour, at least. */
export const NEIGHBOUR_MESSAGES = 1_000
/** Messages of one bulk write. */
export const BULK = 500
/** At least so many messages at the end are not summarised. */
const TAIL_MESSAGES = 30

export interface BuiltStore {
  readonly session: LcmSession
  /** Tokens of each message of the session. */
  readonly tokens: readonly number[]
  /** The last message that summaries should cover: behind it begins a turn. */
  readonly coverTo: number
  /** The file's whole content as JSON lines, in bytes: what the texts themselves take. */
  readonly jsonBytes: number
}

export interface BuildInput {
  readonly seed: number
  readonly messages: number
  /** `done` of `messages` are written. */
  readonly onProgress?: (done: number, messages: number) => void
}

/** Fills an empty store with the generated conversation, and with a short one of its own before it. */
export async function buildStore(
  store: LcmStore,
  { seed, messages, onProgress = () => {} }: BuildInput,
): Promise<BuiltStore> {
  const neighbour = await store.session(NEIGHBOUR, START)
  const before = await fill(neighbour, lcmWorkload(seed + 1, NEIGHBOUR_MESSAGES).messages, () => {})
  const session = await store.session(SESSION, START)
  const own = await fill(session, lcmWorkload(seed, messages).messages, (done) => onProgress(done, messages))
  return { ...own, session, jsonBytes: before.jsonBytes + own.jsonBytes }
}

async function fill(session: LcmSession, messages: Iterable<Message>, onProgress: (done: number) => void) {
  const tokens: number[] = []
  const turns: number[] = []
  let jsonBytes = 0
  for (const batch of inBatches(messages, BULK)) {
    const encoded = encodeAll(batch)
    await session.append({ nextSeq: tokens.length, messages: encoded, at: timeOf(tokens.length) })
    for (const { tokens: count, json, role } of encoded) {
      if (role === 'user') turns.push(tokens.length)
      tokens.push(count)
      jsonBytes += Buffer.byteLength(json) + 1
    }
    onProgress(tokens.length)
  }
  const start = turns.findLast((seq) => seq <= tokens.length - TAIL_MESSAGES) ?? 1
  return { tokens, coverTo: start - 1, jsonBytes }
}

/** Messages as a store takes them. */
export function encodeAll(messages: readonly Message[]) {
  return messages.map((message) => encodeMessage(message, roughTokenCounter.countMessage(message)))
}
