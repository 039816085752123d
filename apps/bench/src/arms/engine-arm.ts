import { countMessages, createContextSession, type EngineDefinition, HYGIENE_SHARE } from '@palimpsest/core'
import type { Arm, OpenedArm, OpenInput, Search } from './arm.ts'
import { fixedClock } from './fixed-clock.ts'
import { uncalibrated } from './uncalibrated.ts'

export interface EngineArm {
  readonly name: string
  readonly description: string
  readonly engine: EngineDefinition<object>
  readonly options: object
  readonly searches?: readonly Search[]
}

/** Just below the share at which a session compacts on its own account, so that the engine decides. */
export const THRESHOLD = HYGIENE_SHARE - 0.001

/**
 * One of our engines behind a session. The window is as large as makes the session compact at the budget: no prompt may be
 * above it, and all of it may be used.
 */
export function engineArm({ name, description, engine, options, searches = [] }: EngineArm): Arm {
  return { name, description, kind: 'engine', searches, open: (input) => openSession(engine, options, input) }
}

function openSession(engine: EngineDefinition<object>, options: object, input: OpenInput): OpenedArm {
  const { sessionId, budget, tokens, model, clock = fixedClock() } = input
  const session = createContextSession({
    engine,
    options,
    contextLength: Math.floor(budget / HYGIENE_SHARE),
    tokens: uncalibrated(tokens),
    clock,
    sessionId,
    ...(model !== undefined && { model }),
  })
  let compacted = false
  session.subscribe((event) => {
    if (event.type === 'compaction') compacted ||= event.committed
  })
  let promptTokens = 0
  return {
    async project(transcript) {
      compacted = false
      const { messages, tools, warnings } = await session.prepare(transcript)
      promptTokens = countMessages(tokens, messages)
      return { messages, tools, compacted, warnings: warnings.map(({ code }) => code) }
    },
    async answered(message) {
      const completionTokens = tokens.countMessage(message)
      await session.observe({
        message,
        usage: {
          prompt_tokens: promptTokens,
          completion_tokens: completionTokens,
          total_tokens: promptTokens + completionTokens,
        },
      })
    },
    callTool: (name, args) => session.callTool(name, args),
    end: () => session.end(),
  }
}
