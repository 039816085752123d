import type { SeqRange, Store, StoredSession, Summary } from '@palimpsest/core'
import type { SessionReader, ViewSummaryNode } from '@palimpsest/inspector'
import { DECISIONS } from '../decisions-options.ts'
import { createDecisionReader } from './decision-reader.ts'
import { placeOf } from './place-of.ts'

interface SessionReaderInput {
  /** One of ours, or empty. */
  readonly engine: string
  /** Those of the engine. */
  readonly options: Readonly<Record<string, unknown>>
  readonly store: Store
  readonly principal: string
  readonly sessionId: string
}

/** Reads what the store knows of one session: its summaries, and the decisions where it has that engine. */
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

/**
 * Reads every summary that was ever made of a session, children before parents. The list is the same one while the store has the same
 * frontier. One call at a time.
 */
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

/** As the engine's tools name it. */
function summaryId(number: number): string {
  return `s${number}`
}
