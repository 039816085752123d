import type { ViewCompaction } from '../../../../src/view/session-view.ts'
import { formatCount } from '../../format.ts'

export function describeCompaction({
  trigger,
  outcome,
  reason,
  tokensBefore,
  tokensAfter,
  kept,
}: ViewCompaction): string {
  const numbers = `${formatCount(tokensBefore)} → ${formatCount(tokensAfter)} tokens`
  const parts = outcome === 'compacted' ? [numbers, kept] : [outcome, reason, kept]
  return `Compaction (${trigger}): ${parts.filter((part) => part !== '').join('; ')}`
}
