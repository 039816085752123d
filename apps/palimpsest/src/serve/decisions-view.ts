import type { z } from '@hono/zod-openapi'
import type { Store } from '@palimpsest/core'
import type { Decision, Source } from '@palimpsest/decisions'
import { decidingFirst } from '../engines/session-reader.ts'
import type { StateResponse } from './http/schemas.ts'

export type DecisionsView = Pick<z.input<typeof StateResponse>, 'decisions'>

const MAX_SHOWN = 2_000
const MAX_QUOTE = 300

interface DecisionsOf {
  readonly store: Store
  readonly principal: string
  readonly sessionId: string
  readonly project: unknown
}

export async function readDecisions({
  store,
  principal,
  sessionId,
  project,
}: DecisionsOf): Promise<DecisionsView> {
  const { CATEGORIES, createDecisionLedger, decisionScope, readEvents } = await import(
    '@palimpsest/decisions'
  )
  const scope = decisionScope(sessionId, typeof project === 'string' ? project : undefined)
  const session = await store.find({ principal, key: sessionId })
  const events = (await session?.events({ scopes: [scope] })) ?? []
  const { all } = createDecisionLedger(readEvents(events))
  const shown = all.slice(-MAX_SHOWN)
  const decisions = CATEGORIES.map((category) => [
    category,
    shown.filter((decision) => decision.category === category).map(facts),
  ])
  return { decisions: Object.fromEntries(decisions) }
}

function facts(decision: Decision) {
  const { id, kind, subject, value, l0, l1, status, authority, by, reason, sources, ended } = decision
  const [source] = decidingFirst(decision)
  return {
    ...{ id, kind, l0, status, turn: sources[0]?.turn ?? 0 },
    ...(l1 !== undefined && { l1 }),
    ...(source !== undefined && { source: sourceFacts(source) }),
    ...{ subject, value, authority, foundBy: by },
    ...(reason !== undefined && { reason }),
    supersedes: decision.supersedes,
    ...(decision.supersededBy !== undefined && { supersededBy: decision.supersededBy }),
    contestedBy: [...decision.contestedBy],
    ...(ended !== undefined && { endedTurn: ended.source.turn }),
  }
}

function sourceFacts({ session, turn, role, quote }: Source) {
  return { session, turn, role, quote: quote.slice(0, MAX_QUOTE).toWellFormed() }
}
