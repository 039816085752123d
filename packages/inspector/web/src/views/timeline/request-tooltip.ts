import type { SessionView } from '../../../../src/view/session-view.ts'
import { CACHE_PARTS, cacheLabels } from '../../charts/chart-colors.ts'
import { tooltipTable } from '../../charts/tooltip-table.ts'
import type { ChartInk } from '../../charts/use-chart-ink.ts'
import { KINDS, promptTokens } from '../../data/session-figures.ts'
import { formatCount, formatUsd } from '../../format.ts'
import { tokenKindLabels } from '../../ui/kind-colors.ts'
import { describeCompaction } from './describe-compaction.ts'

export function requestTooltip(view: SessionView, ink: ChartInk, hit: unknown): HTMLElement | string {
  const index = columnOf(hit)
  const request = view.requests[index]
  if (!request) return ''
  const lines = [...KINDS]
    .reverse()
    .filter((kind) => request.tokens[kind] > 0)
    .map((kind) => ({
      color: ink.kinds[kind],
      name: tokenKindLabels[kind],
      value: formatCount(request.tokens[kind]),
    }))
  lines.push({ color: 'transparent', name: 'Prompt', value: formatCount(promptTokens(request)) })
  lines.push({ color: 'transparent', name: 'Without the engine', value: formatCount(request.without) })
  const { cache } = request
  if (cache) {
    for (const part of CACHE_PARTS)
      lines.push({ color: ink.cache[part], name: cacheLabels[part], value: formatCount(cache[part]) })
    if (cache.usd !== null)
      lines.push({ color: 'transparent', name: `Prompt, ${cache.from}`, value: formatUsd(cache.usd) })
  }
  const notes = view.compactions.filter((made) => made.request === index).map(describeCompaction)
  return tooltipTable(`Request ${index + 1}`, lines, notes)
}

function columnOf(hit: unknown): number {
  const first: unknown = Array.isArray(hit) ? hit[0] : hit
  if (typeof first !== 'object' || first === null) return -1
  if ('axisValue' in first && first.axisValue !== undefined) return Number(first.axisValue) - 1
  return 'dataIndex' in first && typeof first.dataIndex === 'number' ? first.dataIndex : -1
}
