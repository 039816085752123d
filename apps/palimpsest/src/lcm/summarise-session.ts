import { createContextSession, type Message, type TokenCounter } from '@palimpsest/core'
import { type LcmSession, type LcmStore, lcm } from '@palimpsest/lcm'
import { UsageError } from '../usage-error.ts'

export interface Summarised {
  readonly summaries: number
}

/**
 * Writes summaries of a stored session, as the engine would on the next request with a model's window of that size:
 * none when the session fits. Without a model.
 */
export async function summariseSession(input: {
  readonly store: LcmStore
  /** Of the engine, beside its store. */
  readonly options: Readonly<Record<string, unknown>>
  readonly session: LcmSession
  /** All messages of the session. */
  readonly messages: readonly Message[]
  readonly tokens: TokenCounter
  /** Tokens. */
  readonly window: number
}): Promise<Summarised> {
  const { store, options, session, messages, tokens, window } = input
  const before = await session.head()
  const [last] = await session.messages({ limit: 1, order: 'newest' })
  const context = createContextSession({
    engine: lcm,
    options: { ...options, store, principal: session.principal },
    contextLength: window,
    tokens,
    clock: { now: () => last?.at ?? before.createdAt },
    sessionId: session.key,
  })
  let fault: string | undefined
  context.subscribe((event) => {
    if (event.type === 'warning' && fault === undefined) fault = event.warning.message
  })
  try {
    await context.prepare(messages)
  } finally {
    await context.end()
  }
  const { nextSeq, nextSummary } = await session.head()
  if (nextSeq !== before.nextSeq)
    throw new UsageError(`${session.key} goes on in another process; summarise it later`)
  if (fault !== undefined) process.stderr.write(`palimpsest: ${session.key}: ${fault}\n`)
  return { summaries: nextSummary - before.nextSummary }
}
