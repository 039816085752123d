import {
  type ContextEngine,
  type ContextSession,
  createContextSession,
  defineContextEngine,
  type SessionEvent,
} from '@palimpsest/core'
import type { ContractHost } from '../contract-target.ts'

/** A session of core around an engine, and everything that it reported. */
export interface WatchedSession {
  readonly session: ContextSession
  readonly engine: ContextEngine
  readonly events: readonly SessionEvent[]
}

/** Creates a session of core around a new engine. An engine with a store gets the session's log. */
export function watchSession(
  host: ContractHost,
  create: (log: Pick<ContractHost, 'log'>) => ContextEngine,
): WatchedSession {
  const { contextLength, maxOutputTokens, tokens, clock, model, sessionId, store } = host
  let engine: ContextEngine | undefined
  const definition = defineContextEngine({
    name: 'engine-under-test',
    apiVersion: 1,
    description: 'The engine under test',
    ...(store && { store }),
    create(_, { log }) {
      engine = create(store && log ? { log } : {})
      return engine
    },
  })
  const session = createContextSession({
    engine: definition,
    contextLength,
    maxOutputTokens,
    tokens,
    clock,
    sessionId,
    ...(model !== undefined && { model }),
  })
  const events: SessionEvent[] = []
  session.subscribe((event) => events.push(event))
  return { session, engine: engine as unknown as ContextEngine, events }
}
