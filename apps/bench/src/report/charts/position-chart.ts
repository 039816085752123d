import type { RecallRow } from '../../recall/recall-report.ts'
import { whole } from '../format.ts'
import type { Chart } from '../section.ts'
import { heatChart, heatChartHeight } from './heat-chart.ts'

/** Parts of a prompt, in percent of its tokens. */
export const TENTHS: readonly string[] = Array.from(
  { length: 10 },
  (_, index) => `${index * 10}–${index * 10 + 10}`,
)

/** Where in the prompt the facts stand that an arm kept. */
export function positionChart(rows: readonly RecallRow[], budget: number): Chart {
  const heat = {
    columns: TENTHS,
    unit: 'place in the prompt, % of its tokens from the beginning; cells: % of the facts that were found',
    rows: rows.map(({ arm, position }) => ({ name: arm, values: position.map((share) => share * 100) })),
  }
  return {
    name: 'position',
    alt: `Where in the prompt each arm has the facts that it kept, within ${whole(budget)} tokens.`,
    option: heatChart(heat),
    height: heatChartHeight(heat),
  }
}
