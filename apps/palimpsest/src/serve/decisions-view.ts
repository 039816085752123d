import type { z } from '@hono/zod-openapi'
import type { Decision, DecisionStore, Source, Tier } from '@palimpsest/decisions'
import { decidingFirst } from '../engines/readers/decision-reader.ts'
import type { StateResponse } from './http/schemas.ts'

/** The part of a session's state that only a store of decisions knows. */
export type DecisionsView = Pick<z.input<typeof StateResponse>, 'decisions' | 'artifacts'>

/** Decisions, and files, that are shown at most: the latest. */
const MAX_SHOWN = 2_000
/** Characters of a quote. */
const MAX_QUOTE = 300

/**
 * The decisions of a session in a store, by category.
 *
 * @param options those of the engine: whose sessions, and of which project.
 */
export async function readDecisions(
  store: DecisionStore,
  sessionId: string,
  { principal, project }: Readonly<Record<string, unknown>>,
): Promise<DecisionsView> {
  const { CATEGORIES, createDecisionLedger, l1Text, tierOf } = await import('@palimpsest/decisions')
  const owner = typeof principal === 'string' ? { principal } : {}
  const scope =
    typeof project === 'string' ? (`project:${project}` as const) : (`session:${sessionId}` as const)
  const stored = await store.events({ ...owner, scopes: [scope] })
  const { all } = createDecisionLedger(stored.map(({ event }) => event))
  const shown = all.slice(-MAX_SHOWN)
  const decisions = CATEGORIES.map((category) => [
    category,
    shown
      .filter((decision) => decision.category === category)
      .map((decision) => facts(decision, { l1: l1Text(decision), tier: tierOf(decision) })),
  ])
  const session = await store.find({ ...owner, key: sessionId })
  const touches = (await session?.artifacts()) ?? []
  return {
    decisions: Object.fromEntries(decisions),
    artifacts: touches.slice(-MAX_SHOWN).map((touch) => ({ ...touch })),
  }
}

function facts(decision: Decision, { l1, tier }: { readonly l1: string | undefined; readonly tier: Tier }) {
  const { id, slot, area, choice, l0, status, authority, reason, sources, ended, contestedBy } = decision
  const [source] = decidingFirst(decision)
  return {
    id,
    l0,
    ...(l1 !== undefined && { l1 }),
    status,
    turn: sources[0]?.turn ?? 0,
    ...(source !== undefined && { source: sourceFacts(source) }),
    slot,
    area,
    choice,
    authority,
    tier,
    ...(reason !== undefined && { reason }),
    supersedes: decision.supersedes.map((link) => link.id),
    supersededBy: decision.supersededBy.map((link) => link.id),
    contestedBy: [...contestedBy],
    remarks: decision.remarks.map(sourceFacts),
    ...(decision.suspectOf !== undefined && { suspectOf: decision.suspectOf }),
    ...(ended !== undefined && { endedTurn: ended.source.turn }),
  }
}

function sourceFacts({ session, turn, role, quote }: Source) {
  return { session, turn, role, quote: quote.slice(0, MAX_QUOTE).toWellFormed() }
}
