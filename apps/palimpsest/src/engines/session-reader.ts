import type { SeqRange, Store, StoredSession, Summary } from '@palimpsest/core'
import type { Decision, DecisionLedger, Source } from '@palimpsest/decisions'
import type { SessionReader, ViewDecision, ViewSummaryNode } from '@palimpsest/inspector'
import { DECISIONS } from './decisions-options.ts'

interface SessionReaderInput {
  readonly engine: string
  readonly options: Readonly<Record<string, unknown>>
  readonly store: Store
  readonly principal: string
  readonly sessionId: string
}

export function createSessionReader(input: SessionReaderInput): SessionReader {
  const { engine, options, store, principal, sessionId } = input
  const { project } = options
  const find = () => store.find({ principal, key: sessionId })
  return {
    summaryNodes: createSummaryReader(find),
    decisions:
      engine === DECISIONS
        ? createDecisionReader(find, typeof project === 'string' ? project : undefined)
        : async () => null,
  }
}

const NONE: readonly ViewSummaryNode[] = []

/** Reads every summary that was ever made of a session. The same list while the store has the same frontier. */
function createSummaryReader(find: () => Promise<StoredSession | null>) {
  let known: { readonly version: number; readonly nodes: readonly ViewSummaryNode[] } | undefined
  return async (): Promise<readonly ViewSummaryNode[]> => {
    const session = await find()
    if (session === null) return NONE
    const { version, summaries: shown } = await session.frontier()
    if (known?.version === version) return known.nodes
    const { nextSummary, replaced } = await session.head()
    const numbers = Array.from({ length: nextSummary - 1 }, (_, index) => index + 1)
    const nodes = (await session.summaries(numbers)).map((summary) =>
      viewNode(summary, shown.includes(summary.number), replaced),
    )
    known = { version, nodes }
    return nodes
  }
}

function viewNode(
  { number, children, text, forgotten, ...summary }: Summary,
  isShown: boolean,
  replaced: readonly SeqRange[],
): ViewSummaryNode {
  const { depth, first, last, tokens, sourceTokens, writer, at } = summary
  // Whatever is taken back, is taken back up to the end: with any message of a summary its last one goes.
  const isReplaced = replaced.some((run) => run.first <= last && last <= run.last)
  return {
    id: summaryId(number),
    depth,
    first: placeOf(replaced, first),
    last: placeOf(replaced, last),
    ...(isReplaced && { isReplaced }),
    children: children.map(summaryId),
    text: forgotten === undefined ? text : `(Deleted on request: ${forgotten.reason})`,
    tokens,
    sourceTokens,
    writer,
    at: at > 0 ? at : null,
    isShown,
  }
}

function summaryId(number: number): string {
  return `s${number}`
}

/**
 * Reads what is on record for a session, in the order in which it was decided. Nothing is read twice, and the list is the same one
 * while nothing was decided. One call at a time.
 *
 * @param project Decisions hold for all of its sessions. Undefined: for the session alone.
 */
function createDecisionReader(
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

/** The place of a message in the conversation: replaced ones have none. For such a one, where it was if it was replaced at once. */
function placeOf(replaced: readonly SeqRange[], seq: number): number {
  let gone = 0
  for (const { first, last } of replaced) {
    if (last >= seq) break
    gone += last - first + 1
  }
  return seq - gone
}
