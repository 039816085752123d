import type { CompressResult } from '@palimpsest/core'
import { count } from '../../count.ts'

/** A compaction in one line: `compacted 110,365 → 24,654 tokens`, or why there was none. */
export function describeCompaction({
  outcome,
  reason,
  tokensBefore,
  tokensAfter,
  summary,
}: CompressResult): string {
  if (outcome !== 'compacted')
    return `${OUTCOMES[outcome]} (${reason.replaceAll('-', ' ')}), ${count(tokensBefore)} tokens`
  const more = summary === undefined ? '' : `: ${summary}`
  return `compacted ${count(tokensBefore)} → ${count(tokensAfter)} tokens${more}`
}

const OUTCOMES = {
  unchanged: 'not compacted',
  aborted: 'not compacted, everything was kept',
  deferred: 'not compacted now',
} as const
