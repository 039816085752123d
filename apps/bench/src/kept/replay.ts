import { countMessages, createContextSession, type Message, type TokenCounter } from '@palimpsest/core'
import type { EngineArm } from '../arms/engine-arm.ts'
import { fixedClock } from '../arms/fixed-clock.ts'
import { uncalibrated } from '../arms/uncalibrated.ts'
import { projectSimply, SIMPLE_PROJECTIONS } from './simple-projections.ts'

export interface ReplayInput {
  readonly messages: readonly Message[]
  readonly engine: EngineArm
  /** In tokens. */
  readonly window: number
  readonly tokens: TokenCounter
}

/** A compaction: the message that it was made for, and the projections that stand for everything before that. */
export interface Compaction {
  readonly index: number
  /** The engine's, and simple ones of its size, by name. */
  readonly projections: readonly (readonly [arm: string, messages: readonly Message[]])[]
}

/** Replays messages with an engine as users get it, and stops behind each compaction. */
export async function* replay({
  messages,
  engine: arm,
  window,
  tokens,
}: ReplayInput): AsyncGenerator<Compaction> {
  const { name, engine, options } = arm
  const session = createContextSession({
    ...{ engine, options, contextLength: window, sessionId: 'kept' },
    ...{ tokens: uncalibrated(tokens), clock: fixedClock() },
  })
  let compacted = false
  session.subscribe((event) => {
    if (event.type === 'compaction') compacted ||= event.committed
  })
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue
    compacted = false
    const transcript = messages.slice(0, index)
    const { messages: projection } = await session.prepare(transcript)
    await session.observe({ message })
    if (!compacted) continue
    const size = countMessages(tokens, projection)
    const simple = SIMPLE_PROJECTIONS.map(
      (each) => [each.name, projectSimply(each, transcript, size, tokens)] as const,
    )
    yield { index, projections: [[name, projection], ...simple] }
  }
  await session.end()
}
