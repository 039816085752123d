import { isContested } from '../log/decision.ts'
import type { DecisionSet } from '../log/decision-set.ts'
import { isHoldingLine } from './decision-line.ts'

/**
 * True when something that was shown as holding no longer does: it was superseded, given up or taken back since, or it is contested by now. A line that was shown as proposed, contested or over does not mislead.
 */
export function misleads(shown: ReadonlyMap<string, string>, decisions: DecisionSet): boolean {
  return [...shown].some(([id, line]) => {
    if (!isHoldingLine(line)) return false
    const decision = decisions.get(id)
    return decision?.status !== 'active' || isContested(decision)
  })
}
