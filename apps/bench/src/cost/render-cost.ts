import Table from 'cli-table3'
import type { SpeedRow } from '../speed/speed-row.ts'
import { USUAL_MODEL } from './cost-profiles.ts'
import { PLANNING_TARGET } from './measure-planning.ts'
import { PAUSES_TEXT } from './pacing.ts'
import { renderEngineCost, renderTiming } from './render-engine-cost.ts'
import { renderPlacement } from './render-placement.ts'
import { renderRecorded } from './render-recorded.ts'
import type { CostReport } from './run-cost.ts'
import { percent, whole } from './units.ts'

/** The report as one table for each section. */
export function renderCost({ node, seed, placement, recorded, engines, planning }: CostReport): string {
  return `${[
    `Node ${node}, seed ${seed}. Tokens are four characters each, except in recorded sessions: ratios do not depend on it. Nothing is sent to a provider.`,
    `Placement: what breakpoints cost, against what the same requests cost at least with the same lifetime (five minutes) by somebody who knows the future. Pauses: the worked example has 8, 8 and 40 minutes; of the generated sessions, ${PAUSES_TEXT}.`,
    renderPlacement(placement),
    renderRecorded(recorded),
    `Engines: one generated dialogue for all, prices of ${USUAL_MODEL}, no pauses. Means over the compactions. A compaction costs in cache what writing the prompt behind it costs more than reading it would; after a pause it costs nothing. The model writes 80 % of the length that it is asked for; it reads what it is told as plain input.`,
    ...renderEngineCost(engines),
    `The same with pauses (${PAUSES_TEXT}), no keep-alive: compacting at the threshold, and when it is cheapest.`,
    renderTiming(engines),
    renderPlanning(planning),
  ].join('\n\n')}\n`
}

function renderPlanning(rows: readonly SpeedRow[]): string {
  const table = new Table({
    head: ['planning', 'messages', 'tokens', 'median ms', 'JSON.stringify ms', 'share', 'promised', ''],
    style: { head: [], border: [], compact: true },
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'left', 'left'],
  })
  for (const { operation, messages, tokens, measured, floor, ratio, target } of rows) {
    const verdict = target === '' ? '' : ratio < PLANNING_TARGET ? 'ok' : 'MISSED'
    const times = [measured.median.toFixed(3), floor.median.toFixed(3)]
    table.push([operation, whole(messages), whole(tokens), ...times, percent(ratio, 2), target, verdict])
  }
  return table.toString()
}
