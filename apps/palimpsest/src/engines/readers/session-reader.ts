import { isObject } from '@palimpsest/core'
import type { DecisionStore } from '@palimpsest/decisions'
import type { SessionReader, ViewSummaryNode } from '@palimpsest/inspector'
import type { LcmStore, SeqRange, SummaryNode } from '@palimpsest/lcm'
import { DECISIONS } from '../decisions-options.ts'
import { LCM, principalOf } from '../lcm-options.ts'
import { createDecisionReader } from './decision-reader.ts'

/**
 * Reads what the stores of a built-in engine know of one session. Every other engine is known by what its session shows.
 *
 * @param options those of the engine, with stores that are open, as `shareStores` makes them.
 */
export function createSessionReader(
  engine: string,
  options: Readonly<Record<string, unknown>>,
  sessionId: string,
): SessionReader {
  const compaction = engine === DECISIONS ? compactionIn(options) : { engine, options }
  return {
    summaryNodes: summariesOf(compaction, sessionId) ?? (async () => NO_NODES),
    decisions: (engine === DECISIONS ? decisionsOf(options, sessionId) : undefined) ?? (async () => null),
  }
}

type Options = Readonly<Record<string, unknown>>

interface ChosenCompaction {
  readonly engine: string
  readonly options: Options
}

const NO_NODES: readonly never[] = []

function compactionIn({ compaction }: Options): ChosenCompaction {
  if (!isObject(compaction) || !isObject(compaction.engine)) return { engine: '', options: {} }
  const { engine, options } = compaction
  return { engine: String(engine.name), options: isObject(options) ? options : {} }
}

function summariesOf({ engine, options }: ChosenCompaction, sessionId: string) {
  const { store } = options
  if (engine !== LCM || !isLcmStore(store)) return undefined
  return createSummaryReader(store, { principal: principalOf(options), key: sessionId })
}

function decisionsOf(options: Options, sessionId: string) {
  const { store, project } = options
  if (!isDecisionStore(store)) return undefined
  const owner = {
    principal: principalOf(options),
    project: typeof project === 'string' ? project : undefined,
  }
  return createDecisionReader(store, sessionId, owner)
}

function isLcmStore(store: unknown): store is LcmStore {
  return isObject(store) && typeof store.find === 'function' && typeof store.repair === 'function'
}

function isDecisionStore(store: unknown): store is DecisionStore {
  return isObject(store) && typeof store.events === 'function' && typeof store.list === 'function'
}

const NONE: readonly ViewSummaryNode[] = []

/**
 * Reads every summary that was ever made of a session, children before parents; none while the session is not there. The
 * list is the same one while the store has the same version of it. One call at a time.
 */
function createSummaryReader(
  store: LcmStore,
  ref: { readonly principal: string; readonly key: string },
): () => Promise<readonly ViewSummaryNode[]> {
  let known: { readonly version: number; readonly nodes: readonly ViewSummaryNode[] } | undefined
  return async () => {
    const session = await store.find(ref)
    if (session === null) return NONE
    const { version, nextSummary, replaced } = await session.head()
    if (known?.version === version) return known.nodes
    const numbers = Array.from({ length: nextSummary - 1 }, (_, index) => index + 1)
    const [nodes, frontier] = await Promise.all([session.summaries(numbers), session.frontier(version)])
    const shown = new Set(frontier.nodes.map(({ number }) => number))
    known = { version, nodes: nodes.map((node) => viewNode(node, shown.has(node.number), replaced)) }
    return known.nodes
  }
}

function viewNode(node: SummaryNode, isShown: boolean, replaced: readonly SeqRange[]): ViewSummaryNode {
  const { depth, first, last, children, tokens, sourceTokens, writer, at, forgotten } = node
  // Whatever is taken back, is taken back up to the end: with any message of a summary its last one goes.
  const isReplaced = replaced.some((run) => run.first <= last && last <= run.last)
  return {
    ...{ id: refOf(node.number), depth, first: placeOf(replaced, first), last: placeOf(replaced, last) },
    ...(isReplaced && { isReplaced }),
    children: children.map(refOf),
    text: forgotten === undefined ? node.text : `(Deleted on request: ${forgotten.reason})`,
    ...{ tokens, sourceTokens, writer, at: at > 0 ? at : null, isShown },
  }
}

/** As the engine's tools name it. */
function refOf(number: number): string {
  return `s${number}`
}

/**
 * The place in the transcript of a message. A store numbers everything that it was ever told; what the host took back keeps
 * its number and has no place any more. For such a message: where it stood, if it was taken back at once.
 */
function placeOf(replaced: readonly SeqRange[], seq: number): number {
  let gone = 0
  for (const { first, last } of replaced) {
    if (last >= seq) break
    gone += last - first + 1
  }
  return seq - gone
}
