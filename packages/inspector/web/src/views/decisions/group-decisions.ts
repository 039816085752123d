import type { ViewDecision } from '../../../../src/view/session-view.ts'
import { isInForce } from '../../data/kept.ts'
import { isFound, searchPattern } from '../../ui/use-message-search.ts'

export type DecisionFilter = 'in force' | 'undecided' | 'ended' | 'all'

interface DecisionGroup {
  readonly category: string
  readonly decisions: readonly ViewDecision[]
}

export function groupDecisions(
  decisions: readonly ViewDecision[],
  filter: DecisionFilter,
  query: string,
): readonly DecisionGroup[] {
  const byId = new Map(decisions.map((decision) => [decision.id, decision]))
  const pattern = searchPattern(query)
  const wanted = decisions.filter(
    (decision) => isWanted(decision, filter) && (pattern === null || matches(decision, pattern, byId)),
  )
  const groups = Map.groupBy(wanted, ({ category }) => category)
  return [...groups].map(([category, members]) => ({ category, decisions: members }))
}

function isEnded({ status }: ViewDecision): boolean {
  return status === 'superseded' || status === 'retracted'
}

export function isWanted(decision: ViewDecision, filter: DecisionFilter): boolean {
  if (filter === 'all') return true
  if (filter === 'in force') return isInForce(decision)
  if (filter === 'ended') return isEnded(decision)
  return !isEnded(decision) && !isInForce(decision)
}

function matches(decision: ViewDecision, pattern: RegExp, byId: ReadonlyMap<string, ViewDecision>): boolean {
  const before = decision.supersedes.flatMap((id) => byId.get(id) ?? [])
  return [decision, ...before].some(({ subject, value, l0, l1, reason, sources }) =>
    [subject, value, l0, l1, reason, ...sources.map(({ quote }) => quote)].some((text = '') =>
      isFound(text, pattern),
    ),
  )
}

export function chainOf(
  decision: ViewDecision,
  byId: ReadonlyMap<string, ViewDecision>,
): readonly ViewDecision[] {
  const chain: ViewDecision[] = []
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
