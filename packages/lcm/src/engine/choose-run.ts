import type { SummaryNode } from '../store/summary-node.ts'
import type { LcmSettings } from './options.ts'

/** Summaries to condense, as a run of the frontier: `start` inclusive, `end` exclusive. */
export interface Run {
  readonly start: number
  readonly end: number
}

/**
 * The run of summaries to condense next: of the shallowest depth that has neighbours, the oldest, as many as the fan-in
 * allows and the summariser can read, at least two; if no two neighbours are of one depth, the two oldest. Undefined
 * when there is only one summary.
 */
export function chooseRun(
  nodes: readonly SummaryNode[],
  { leaf_fan_in, condensed_fan_in }: Pick<LcmSettings, 'leaf_fan_in' | 'condensed_fan_in'>,
  maxTokens: number = Number.POSITIVE_INFINITY,
): Run | undefined {
  if (nodes.length < 2) return undefined
  let best: (Run & { readonly depth: number }) | undefined
  for (let start = 0; start < nodes.length; ) {
    const depth = nodes[start]?.depth ?? 0
    let end = start + 1
    while (nodes[end]?.depth === depth) end++
    const isRun = end - start >= 2
    if (isRun && (best === undefined || depth < best.depth)) best = { start, end, depth }
    start = end
  }
  if (best === undefined) return { start: 0, end: 2 }
  const fanIn = best.depth === 0 ? leaf_fan_in : condensed_fan_in
  const last = Math.min(best.end, best.start + fanIn)
  let end = best.start
  for (let size = 0; end < last; end++) {
    size += nodes[end]?.tokens ?? 0
    if (size > maxTokens && end >= best.start + 2) break
  }
  return { start: best.start, end }
}
