import type { z } from '@hono/zod-openapi'
import type { DecisionsView } from '../decisions-view.ts'
import type { StateResponse } from '../http/schemas.ts'
import type { Conversation } from './conversation.ts'
import { engineKey } from './engine-key.ts'
import { summaryOf } from './engine-notes.ts'

/**
 * What a conversation amounts to by now.
 *
 * @param decided what a store of decisions says; null with an engine that has none.
 */
export function sessionState(
  { record, session, turns, shown }: Conversation,
  decided: DecisionsView | null,
): z.input<typeof StateResponse> {
  const { name, details } = session.engine.status()
  return {
    session: record.session,
    key: engineKey(record),
    repoName: record.repoName ?? null,
    turn: turns,
    engine: { name, ...(details !== undefined && { details: { ...details } }) },
    decisions: decided?.decisions ?? null,
    artifacts: decided?.artifacts ?? null,
    summary: shown?.messages.map(summaryOf).find((text) => text !== undefined) ?? null,
    breakdown: shown?.breakdown ?? null,
  }
}
