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
  // An edit removes everything up to the end, so if any message of a summary is replaced, its last one is.
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
 * Reads each event once, and returns the same list while nothing changed. One call at a time.
 *
 * @param project The project in whose sessions decisions are valid; undefined for the session alone.
 */
function createDecisionReader(
  find: () => Promise<StoredSession | null>,
  project: string | undefined,
): () => Promise<readonly ViewDecision[]> {
  let ledger: DecisionLedger | undefined
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

export function decidingFirst({ authority, sources }: Decision): readonly Source[] {
  const isByUser = authority === 'stated' || authority === 'accepted'
  const deciding = isByUser ? sources.find(({ role }) => role === 'user') : undefined
  return deciding === undefined ? sources : [deciding, ...sources.filter((source) => source !== deciding)]
}

function placeOf(replaced: readonly SeqRange[], seq: number): number {
  let gone = 0
  for (const { first, last } of replaced) {
    if (last >= seq) break
    gone += last - first + 1
  }
  return seq - gone
}
