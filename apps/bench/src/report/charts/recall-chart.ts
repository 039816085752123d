import type { RecallRow } from '../../recall/recall-report.ts'
import { distinct } from '../arm-table.ts'
import { whole } from '../format.ts'
import type { Chart } from '../section.ts'
import { barChart, barChartHeight } from './bar-chart.ts'

/** Far re-reference recall of the assistant's messages, by arm and budget. */
export function recallChart(rows: readonly RecallRow[]): Chart {
  const arms = distinct(rows.map(({ arm }) => arm))
  const bars = {
    categories: arms,
    unit: 'far re-references of the assistant in the projection, share',
    most: 1,
    series: distinct(rows.map(({ budget }) => budget)).map((budget) => ({
      name: `${whole(budget)} tokens`,
      values: arms.map(
        (arm) => rows.find((row) => row.arm === arm && row.budget === budget)?.assistant.mean ?? null,
      ),
    })),
  }
  return {
    name: 'recall',
    alt: 'Far re-reference recall of every arm at every budget, with intervals.',
    option: barChart(bars),
    height: barChartHeight(bars),
  }
}
