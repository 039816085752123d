import type { AfterCompactionRow } from '../../recall/recall-report.ts'
import { middleBudget } from '../arm-table.ts'
import { whole } from '../format.ts'
import type { Chart } from '../section.ts'
import { barChart, barChartHeight } from './bar-chart.ts'

/** What compactions leave, beside ends of the transcript that are at most as large. */
export function compactionChart(rows: readonly AfterCompactionRow[]): Chart {
  const budget = middleBudget(rows)
  const within = rows.filter((row) => row.budget === budget)
  const bars = {
    categories: within.map(({ arm }) => arm),
    unit: `identifiers of the next 120 messages, share; within ${whole(budget)} tokens`,
    most: 1,
    series: [
      { name: 'projection behind the compaction', values: within.map(({ projection }) => projection) },
      { name: 'raw tail, at most as large', values: within.map(({ tail }) => tail) },
    ],
  }
  return {
    name: 'after-compaction',
    alt: `After-compaction recall of every arm beside that of a raw tail at most as large, within ${whole(budget)} tokens.`,
    option: barChart(bars),
    height: barChartHeight(bars),
  }
}
