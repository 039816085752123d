import type { ArmSummary } from '../../dialogues/arm-summary.ts'
import { middleBudget } from '../arm-table.ts'
import { whole } from '../format.ts'
import type { Chart } from '../section.ts'
import { barChart, barChartHeight } from './bar-chart.ts'

/** What became of corrected facts. */
export function updateChart(rows: readonly ArmSummary[]): Chart {
  const budget = middleBudget(rows)
  const within = rows.filter((row) => row.budget === budget)
  const bars = {
    categories: within.map(({ arm }) => arm),
    unit: `corrected items, share; within ${whole(budget)} tokens`,
    most: 1,
    series: [
      { name: 'update accuracy', values: within.map(({ updateAccuracy }) => updateAccuracy) },
      { name: 'stale exposure', values: within.map(({ staleExposure }) => staleExposure) },
      { name: 'stale and nothing else', values: within.map(({ misled }) => misled) },
    ],
  }
  return {
    name: 'updates',
    alt: `Whether each arm shows the value that holds of what was corrected, and how often the old one, within ${whole(budget)} tokens.`,
    option: barChart(bars),
    height: barChartHeight(bars),
  }
}
