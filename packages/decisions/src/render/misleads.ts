import { isContested } from '../log/decision.ts'
import type { DecisionSet } from '../log/decision-set.ts'
import { isHoldingLine } from './decision-line.ts'

/**
 * True when something that was shown as holding no longer does: it was superseded, given up or taken back since, or it is contested by now. A line that was shown as proposed, contested or over does not mislead.
 */
export function misleads(shown: ReadonlyMap<string, string>, decisions: DecisionSet): boolean {
  for (const [id, line] of shown) {
    const decision = decisions.get(id)
    const holds = decision?.status === 'active' && !isContested(decision)
    if (!holds && isHoldingLine(line)) return true
  }
  return false
}
