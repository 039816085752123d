import { type EngineHost, type Message, placeSummary, roughTokenCounter } from '@palimpsest/core'
import { type LcmStore, lcm } from '@palimpsest/lcm'
import { createStubModel } from '../workload/stub-model.ts'
import { SESSION, timeOf } from './workload.ts'

/** Tokens of the model's window. */
export const CONTEXT_LENGTH = 200_000

export function benchHost(sessionId: string): EngineHost {
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
export async function resumeEngine(store: LcmStore) {
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
