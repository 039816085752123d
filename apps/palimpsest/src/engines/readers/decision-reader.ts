import type { Decision, DecisionLedger, DecisionStore, Source } from '@palimpsest/decisions'
import type { ViewDecision, ViewSourceSpan } from '@palimpsest/inspector'

interface DecisionOwner {
  readonly principal: string
  /** Decisions hold for all sessions of it. Undefined: for the session alone. */
  readonly project: string | undefined
}

/**
 * Reads what is on record for a session, in the order in which it was decided. A log only grows: nothing is read twice,
 * and the list is the same one while nothing was decided. One call at a time.
 */
export function createDecisionReader(
  store: DecisionStore,
  sessionId: string,
  owner: DecisionOwner,
): () => Promise<readonly ViewDecision[]> {
  const { principal } = owner
  let conversation = 1
  let read = readConversation(store, keyOf(sessionId, conversation), owner)
  return async () => {
    // Each reset begins another conversation.
    while ((await store.find({ principal, key: keyOf(sessionId, conversation + 1) })) !== null)
      read = readConversation(store, keyOf(sessionId, ++conversation), owner)
    return read()
  }
}

function readConversation(store: DecisionStore, key: string, { principal, project }: DecisionOwner) {
  const scope = project === undefined ? (`session:${key}` as const) : (`project:${project}` as const)
  let ledger: DecisionLedger | undefined
  /** The place in the log that is read up to. */
  let readTo = 0
  let decisions: readonly ViewDecision[] = []
  /** A ledger gives the same object for a decision until something is said of it. */
  const views = new WeakMap<Decision, ViewDecision>()
  return async (): Promise<readonly ViewDecision[]> => {
    const { createDecisionLedger } = await import('@palimpsest/decisions')
    const added = await store.events({ principal, scopes: [scope], after: readTo })
    if (ledger !== undefined && added.length === 0) return decisions
    ledger ??= createDecisionLedger()
    ledger.append(added.map(({ event }) => event))
    readTo = added.at(-1)?.seq ?? readTo
    decisions = ledger.all.map((decision) => {
      const view = views.get(decision) ?? viewDecision(decision, key)
      views.set(decision, view)
      return view
    })
    return decisions
  }
}

/** The key of one of a session's conversations, which `readConversationKey` reads. */
function keyOf(sessionId: string, conversation: number): string {
  const first = sessionId.replaceAll('~', '~~')
  return conversation === 1 ? first : `${first}~${conversation}`
}

/** Kinds that the page shows apart from the four categories. */
const GROUPS: Readonly<Record<string, string>> = {
  rule: 'standing rules',
  question: 'open questions',
  intention: 'intended, not decided',
}

function viewDecision(decision: Decision, session: string): ViewDecision {
  const { id, kind, category, subject, value, l0, l1, status, authority, reason, contestedBy } = decision
  return {
    ...{ id, category: GROUPS[kind] ?? category, subject, value, l0 },
    ...(l1 !== undefined && { l1 }),
    ...{ status, authority },
    ...(reason !== undefined && { reason }),
    sources: decidingFirst(decision).map((source) => viewSource(source, session)),
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

function viewSource({ session, message, turn, role, quote }: Source, current: string): ViewSourceSpan {
  return { turn, role, quote, seq: session === current ? message : null }
}
