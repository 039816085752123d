import type { StoredSession, Summary } from '@palimpsest/core'
import { frontierSummaries } from '../../src/history/frontier-history.ts'
import { commit, summary } from '../search/session-fixture.ts'

/** A leaf over all messages up to one that no summary covers. */
export async function compactTo(session: StoredSession, last: number): Promise<void> {
  const shown = await frontierSummaries(session)
  const first = (shown.at(-1)?.last ?? -1) + 1
  const { nextSummary: number } = await session.head()
  const leaf = summary({ number, first, last, text: `summary of ${first} to ${last}` })
  await commit(session, [leaf], [...numbersOf(shown), number])
}

/** One summary in the place of all. */
export async function condenseAll(session: StoredSession): Promise<void> {
  const shown = await frontierSummaries(session)
  const { nextSummary: number } = await session.head()
  await commit(session, [condense(number, shown)], [number])
}

function condense(number: number, children: readonly Summary[]): Summary {
  return summary({
    ...{ number, text: 'condensed', children: numbersOf(children) },
    depth: Math.max(...children.map(({ depth }) => depth)) + 1,
    first: children[0]?.first ?? 0,
    last: children.at(-1)?.last ?? 0,
    messages: children.reduce((sum, { messages }) => sum + messages, 0),
  })
}

export function numbersOf(summaries: readonly Summary[]): number[] {
  return summaries.map(({ number }) => number)
}

export const numbered = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`)
