import { cutFrontier } from '../history/cut-frontier.ts'
import { rangesBefore } from '../history/replaced-ranges.ts'
import { hashSummary } from '../store/hash-summary.ts'
import type { LcmSession } from '../store/lcm-session.ts'
import type { LcmStore } from '../store/lcm-store.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import { messageLines } from './export-store.ts'
import { importSession } from './import-store.ts'

/**
 * Makes a session of the same owner that begins with copies of everything before message `seq` and of the summaries of it, so
 * that another branch of a conversation need not be summarised again. A session of that key that was copied in part is completed.
 *
 * @param input `at`: when, in milliseconds since the epoch.
 * @throws StoreConflictError when the key is taken by something else.
 */
export async function copyBeginning(
  store: LcmStore,
  session: LcmSession,
  { key, seq, at }: { readonly key: string; readonly seq: number; readonly at: number },
): Promise<LcmSession> {
  const { principal } = session
  const { replaced } = await session.head()
  const frontier = await cutFrontier(session, (await session.frontier()).nodes, seq)
  const nodes = await withSources(session, frontier)
  // Numbers without a gap: what was written later, or undone, is not copied.
  const numbers = new Map(nodes.map(({ number }, index) => [number, index + 1]))
  const numberOf = (number: number) => numbers.get(number) ?? 0
  const line = {
    ...{ type: 'session' as const, principal, key, createdAt: at, nextSeq: seq },
    ...{ nextSummary: nodes.length + 1, replaced: [...rangesBefore(replaced, seq)] },
    frontier: frontier.map(numberOf),
  }
  await importSession(
    store,
    line,
    (async function* () {
      yield* messageLines(session, seq)
      for (const { number, ...node } of nodes) {
        const moved = { ...node, children: node.children.map(numberOf) }
        yield { type: 'summary' as const, ...moved, number: numberOf(number), hash: hashSummary(moved) }
      }
    })(),
  )
  return store.session({ principal, key }, at)
}

/** Summaries and all that they condense, in the order of their numbers. */
async function withSources(session: LcmSession, numbers: readonly number[]): Promise<SummaryNode[]> {
  if (numbers.length === 0) return []
  const nodes = await session.summaries(numbers)
  const sources = await withSources(
    session,
    nodes.flatMap(({ children }) => children),
  )
  return [...nodes, ...sources].sort((one, other) => one.number - other.number)
}
