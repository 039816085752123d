import type { SeqRange, StoredSession } from '@palimpsest/core'
import type { Decision, DecisionLedger, Source } from '@palimpsest/decisions'
import type { ViewDecision } from '@palimpsest/inspector'
import { placeOf } from './place-of.ts'

/**
 * Reads what is on record for a session, in the order in which it was decided. Nothing is read twice, and the list is the same one
 * while nothing was decided. One call at a time.
 *
 * @param project Decisions hold for all of its sessions. Undefined: for the session alone.
 */
export function createDecisionReader(
  find: () => Promise<StoredSession | null>,
  project: string | undefined,
): () => Promise<readonly ViewDecision[]> {
  let ledger: DecisionLedger | undefined
  /** Events up to this one are in the ledger. */
  let seen = 0
  let decisions: readonly ViewDecision[] = []
  return async () => {
    const session = await find()
    if (session === null) return decisions
    const { createDecisionLedger, decisionScope, readEvents } = await import('@palimpsest/decisions')
    const added = await session.events({ scopes: [decisionScope(session.key, project)], after: seen })
    if (ledger !== undefined && added.length === 0) return decisions
    ledger ??= createDecisionLedger()
    ledger.append(readEvents(added))
    seen = added.at(-1)?.seq ?? seen
    const { replaced } = await session.head()
    decisions = ledger.all.map((decision) => viewDecision(decision, session.key, replaced))
    return decisions
  }
}

/** Kinds that the page shows apart from the four categories. */
const GROUPS: Readonly<Record<string, string>> = {
  rule: 'standing rules',
  question: 'open questions',
  intention: 'intended, not decided',
}

function viewDecision(decision: Decision, session: string, replaced: readonly SeqRange[]): ViewDecision {
  const { id, kind, category, subject, value, l0, l1, status, authority, reason, contestedBy } = decision
  return {
    id,
    category: GROUPS[kind] ?? category,
    subject,
    value,
    l0,
    ...(l1 !== undefined && { l1 }),
    status,
    authority,
    ...(reason !== undefined && { reason }),
    sources: decidingFirst(decision).map((source) => ({
      turn: source.turn,
      role: source.role,
      quote: source.quote,
      seq: source.session === session ? placeOf(replaced, source.seq) : null,
    })),
    supersedes: decision.supersedes,
    supersededBy: decision.supersededBy === undefined ? [] : [decision.supersededBy],
    contestedBy,
  }
}

/** The sources of a decision: where the user said it first, when a user decided it. */
export function decidingFirst({ authority, sources }: Decision): readonly Source[] {
  const isByUser = authority === 'stated' || authority === 'accepted'
  const deciding = isByUser ? sources.find(({ role }) => role === 'user') : undefined
  return deciding === undefined ? sources : [deciding, ...sources.filter((source) => source !== deciding)]
}
