import type { z } from '@hono/zod-openapi'
import type { Decision, DecisionStore } from '@palimpsest/decisions'
import type { StateResponse } from './http/schemas.ts'

/** The part of a session's state that only a store of decisions knows. */
export type DecisionsView = Pick<z.input<typeof StateResponse>, 'decisions' | 'artifacts'>

/** Decisions, and files, that are shown at most: the latest. */
const MAX_SHOWN = 2_000

/**
 * What a store of decisions holds for a session, by category; null for both when it holds nothing.
 *
 * @param options those of the engine: whose sessions, and of which project.
 */
export async function readDecisions(
  store: DecisionStore,
  sessionId: string,
  { principal, project }: Readonly<Record<string, unknown>>,
): Promise<DecisionsView> {
  const { CATEGORIES, createDecisionLedger } = await import('@palimpsest/decisions')
  const key = { key: sessionId, ...(typeof principal === 'string' && { principal }) }
  const session = await store.find(key)
  const empty = Object.fromEntries(CATEGORIES.map((category) => [category, []]))
  if (session === null) return { decisions: empty, artifacts: [] }
  const scope =
    typeof project === 'string' ? (`project:${project}` as const) : (`session:${sessionId}` as const)
  const stored = await session.events({ scopes: [scope] })
  const { all } = createDecisionLedger(stored.map(({ event }) => event))
  const shown = all.slice(-MAX_SHOWN)
  const decisions = CATEGORIES.map((category) => [
    category,
    shown.filter((decision) => decision.category === category).map(facts),
  ])
  return {
    decisions: Object.fromEntries(decisions),
    artifacts: (await session.artifacts()).slice(-MAX_SHOWN).map((touch) => ({ ...touch })),
  }
}

function facts(decision: Decision) {
  const { id, slot, area, choice, l0, l1, status, authority, reason, sources, ended, contestedBy } = decision
  return {
    id,
    l0,
    ...(l1 !== undefined && { l1 }),
    status,
    turn: sources[0]?.turn ?? 0,
    slot,
    area,
    choice,
    authority,
    ...(reason !== undefined && { reason }),
    supersedes: decision.supersedes.map((link) => link.id),
    supersededBy: decision.supersededBy.map((link) => link.id),
    contestedBy: [...contestedBy],
    ...(decision.suspectOf !== undefined && { suspectOf: decision.suspectOf }),
    ...(ended !== undefined && { endedTurn: ended.source.turn }),
  }
}
