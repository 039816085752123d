import compressor from '@palimpsest/compressor'
import {
  type ContextSession,
  countMessages,
  createContextSession,
  type EngineDefinition,
  HYGIENE_SHARE,
  type Message,
} from '@palimpsest/core'
import decisions from '@palimpsest/decisions'
import lcm from '@palimpsest/lcm'
import { type Arm, fixedClock, type OpenedArm, type OpenInput, uncalibrated } from './arm.ts'

export function enginesWith(shared: object): readonly EngineArm[] {
  const compaction = { engine: lcm, options: shared }
  return [
    { name: 'compressor', description: 'the lossy engine', engine: compressor, options: shared },
    { name: 'lcm', description: 'the lossless engine', engine: lcm, options: shared },
    {
      name: 'decisions',
      description: 'the decision engine with its own compaction',
      engine: decisions,
      options: shared,
    },
    {
      name: 'decisions over lcm',
      description: 'the decision engine over the lossless one',
      engine: decisions,
      options: { compaction },
    },
  ]
}

export const ENGINES = enginesWith({})

export interface Engine {
  readonly name: string
  readonly engine: EngineDefinition<object>
  readonly options: object
}

export interface EngineArm extends Engine {
  readonly description: string
}

/** Just below the share at which a session compacts by itself, so that the engine decides. */
export const THRESHOLD = HYGIENE_SHARE - 0.001

export function engineArm({ name, description, ...engine }: EngineArm): Arm {
  return {
    name,
    description,
    kind: 'engine',
    open: ({ budget, ...input }) =>
      openEngine({ name, ...engine }, { ...input, contextLength: Math.floor(budget / HYGIENE_SHARE) }),
  }
}

interface OpenEngineInput extends Omit<OpenInput, 'budget'> {
  readonly contextLength: number
}

export function openEngine({ engine, options }: Engine, input: OpenEngineInput): OpenedArm {
  const { sessionId, contextLength, tokens, model } = input
  const session = createContextSession({
    engine,
    options,
    contextLength,
    tokens: uncalibrated(tokens),
    clock: fixedClock(),
    sessionId,
    ...(model !== undefined && { model }),
  })
  let compacted = false
  session.subscribe((event) => {
    if (event.type === 'compaction') compacted ||= event.committed
  })
  let prompt = 0
  return {
    async project(transcript) {
      compacted = false
      const { messages, tools, warnings } = await session.prepare(transcript)
      prompt = countMessages(tokens, messages)
      return { messages, tools, compacted, warnings: warnings.map(({ code }) => code) }
    },
    async answered(message) {
      await session.observe({ message, usage: usageOf(prompt, tokens.countMessage(message)) })
      await restOf(session)
    },
    end: () => session.end(),
  }
}

/** Users read before they answer, so the engine's background work finishes between turns. */
async function restOf({ engine }: ContextSession): Promise<void> {
  while (engine.status().details?.is_busy === true) await new Promise((resolve) => setImmediate(resolve))
}

export function usageOf(prompt: number, completion: number) {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

export async function sessionAfter(
  engine: Engine['engine'],
  messages: readonly Message[],
): Promise<ContextSession> {
  const session = createContextSession({
    engine,
    contextLength: 200_000,
    sessionId: 'said',
    clock: fixedClock(),
  })
  await session.prepare(messages)
  return session
}
