import type { ViewDecision } from '../../../../src/view/session-view.ts'

/** What a decision took the place of, directly and before that; the oldest first, itself last. */
export function chainOf(
  decision: ViewDecision,
  byId: ReadonlyMap<string, ViewDecision>,
): readonly ViewDecision[] {
  const chain: ViewDecision[] = []
  // A log with a circle in it must not hang the page.
  const seen = new Set<string>()
  const visit = (next: ViewDecision) => {
    if (seen.has(next.id)) return
    seen.add(next.id)
    for (const id of next.supersedes) {
      const before = byId.get(id)
      if (before !== undefined) visit(before)
    }
    chain.push(next)
  }
  visit(decision)
  return chain
}

/** The turns in which a chain was said, in order; those that nobody knows are left out. */
export function turnsOf(chain: readonly ViewDecision[]): readonly number[] {
  return chain.flatMap(({ sources }) => sources[0]?.turn ?? [])
}
