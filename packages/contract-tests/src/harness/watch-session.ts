import {
  type ContextEngine,
  type ContextSession,
  createContextSession,
  defineContextEngine,
  type SessionEvent,
} from '@palimpsest/core'
import type { ContractHost } from '../contract-target.ts'

/** A session of core around an engine, with all that it said. */
export interface WatchedSession {
  readonly session: ContextSession
  readonly engine: ContextEngine
  readonly events: readonly SessionEvent[]
}

/** A session of core around an engine that is there already, with all that it says. */
export function watchSession(engine: ContextEngine, host: ContractHost): WatchedSession {
  const { contextLength, maxOutputTokens, tokens, clock, model, sessionId } = host
  const session = createContextSession({
    engine: definitionOf(engine),
    contextLength,
    maxOutputTokens,
    tokens,
    clock,
    sessionId,
    ...(model !== undefined && { model }),
  })
  const events: SessionEvent[] = []
  session.subscribe((event) => events.push(event))
  return { session, engine, events }
}

/** A session asks for a definition; this one hands out the engine that is there. */
function definitionOf(engine: ContextEngine) {
  return defineContextEngine({
    name: engine.name,
    apiVersion: 1,
    description: 'The engine under test',
    create: () => engine,
  })
}
