import {
  type AssistantMessage,
  type ContextSession,
  countMessages,
  createContextSession,
  type Message,
  type TokenCounter,
} from '@palimpsest/core'
import { type Engine, usageOf } from '../arms/engine-arm.ts'
import { ENGINES } from '../arms/engines.ts'
import type { Request } from '../arms/play-arm.ts'
import { fixedClock } from '../arms/reproducible.ts'

/** Engines as a user gets them, without a model and without a file. */
export const SUBJECTS: readonly Engine[] = ENGINES.filter(({ name }) => name !== 'compressor classic')

const CONTEXT_LENGTH = 200_000

/** A session of an engine whose counter is calibrated, as a user's is. */
export function openSession({ engine, options }: Engine, tokens: TokenCounter): ContextSession {
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
export async function catchUp(
  session: ContextSession,
  { messages, requests, tokens }: PlayInput,
): Promise<void> {
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
