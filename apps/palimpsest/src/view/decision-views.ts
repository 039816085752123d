import type { Decision, DecisionStore, Source } from '@palimpsest/decisions'
import type { ViewDecision, ViewSourceSpan } from './session-view.ts'

/** Everything that is on record for a session, in the order in which it was decided. */
export async function decisionViews(
  store: DecisionStore,
  sessionId: string,
  { principal, project }: { readonly principal: string; readonly project: string | undefined },
): Promise<readonly ViewDecision[]> {
  const { createDecisionLedger } = await import('@palimpsest/decisions')
  const key = await lastConversation(store, principal, sessionId)
  const scope = project === undefined ? (`session:${key}` as const) : (`project:${project}` as const)
  const stored = await store.events({ principal, scopes: [scope] })
  const { all } = createDecisionLedger(stored.map(({ event }) => event))
  return all.map((decision) => viewDecision(decision, key))
}

/** The key of the conversation that a session is at: each reset begins another one, which `readConversationKey` tells. */
async function lastConversation(store: DecisionStore, principal: string, sessionId: string): Promise<string> {
  const first = sessionId.replaceAll('~', '~~')
  let last = first
  for (let number = 2; ; number++) {
    const next = `${first}~${number}`
    if ((await store.find({ principal, key: next })) === null) return last
    last = next
  }
}

function viewDecision(decision: Decision, session: string): ViewDecision {
  const { id, category, slot, area, choice, l0, l1, status, authority, reason, contestedBy } = decision
  return {
    ...{ id, category, slot: area === '' ? slot : `${slot} (${area})`, choice, l0 },
    ...(l1 !== undefined && { l1 }),
    ...{ status, authority },
    ...(reason !== undefined && { reason }),
    sources: decidingFirst(decision).map((source) => viewSource(source, session)),
    supersedes: decision.supersedes.map((link) => link.id),
    supersededBy: decision.supersededBy.map((link) => link.id),
    contestedBy,
  }
}

/** What the user said goes first, when a user decided it. */
function decidingFirst({ authority, sources }: Decision): readonly Source[] {
  const isByUser = authority === 'stated' || authority === 'accepted'
  const deciding = isByUser ? sources.find(({ role }) => role === 'user') : undefined
  return deciding === undefined ? sources : [deciding, ...sources.filter((source) => source !== deciding)]
}

function viewSource({ session, message, turn, role, quote }: Source, current: string): ViewSourceSpan {
  return { turn, role, quote, seq: session === current ? message : null }
}
