import { createContextSession, type Message, roughTokenCounter } from '@palimpsest/core'
import { type LcmStore, lcm } from '@palimpsest/lcm'
import { timeOf } from '../lcm/workload.ts'
import { answered } from '../speed/play-requests.ts'
import { createStubModel } from '../workload/stub-model.ts'
import { PRINCIPAL, sessionKey } from './scale-workload.ts'

/** An agent's host that goes on with a stored session. */
export type Host = Awaited<ReturnType<typeof openHost>>

/** Tokens of the model's window. */
const CONTEXT_LENGTH = 200_000

/**
 * Takes a stored session up, as a worker does that another one's request comes to, until the next request could be
 * sent. Summaries are written in the foreground, where their cost is seen, by a model that answers at once.
 */
export async function openHost(store: LcmStore, number: number, history: readonly Message[]) {
  const session = createContextSession({
    engine: lcm,
    options: { store, principal: PRINCIPAL, soft_threshold: 0.75 },
    contextLength: CONTEXT_LENGTH,
    tokens: roughTokenCounter,
    model: createStubModel(),
    sessionId: sessionKey(number),
    clock: { now: () => timeOf(2_000_000) },
  })
  let list: readonly Message[] = (await session.prepare(history)).messages
  return {
    /** Plays a turn: each request is prepared, and its answer observed. True when something was compacted. */
    async play(turn: readonly Message[]): Promise<boolean> {
      let isCompacted = false
      let fresh: Message[] = []
      for (const message of turn) {
        if (message.role !== 'assistant') {
          fresh.push(message)
          continue
        }
        const { messages, compactions } = await session.prepare([...list, ...fresh])
        await session.observe(answered(messages, message, roughTokenCounter))
        list = [...messages, message]
        fresh = []
        isCompacted ||= compactions.some(({ outcome }) => outcome === 'compacted')
      }
      return isCompacted
    },
    end: () => session.end(),
  }
}
