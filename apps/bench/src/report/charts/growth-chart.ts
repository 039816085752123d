import type { GrowthLine } from '../../speed/speed-report.ts'
import type { Chart } from '../section.ts'
import { type Line, type LineChart, lineChart, lineChartHeight } from './line-chart.ts'
import { INK, lineStyle } from './theme.ts'

const POINT = 8

/** What operations cost as conversations grow, beside what grows with them. */
export function growthChart(growth: readonly GrowthLine[]): Chart {
  const lines = growth.flatMap(({ operation, points }, index): Line[] => {
    const sorted = points.toSorted((a, b) => a.messages - b.messages)
    const [first] = sorted
    if (first === undefined || first.value <= 0) return []
    return [
      {
        name: operation,
        points: sorted.map(({ messages, value }) => [messages, value / first.value]),
        style: lineStyle(index),
        symbolSize: () => POINT,
      },
    ]
  })
  const sizes = lines.flatMap(({ points }) => points.map(([messages]) => messages))
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)]
  const linear: Line = {
    name: 'as the conversation grows',
    points: [
      [least, 1],
      [most, most / least],
    ],
    style: { color: INK, symbol: 'none', line: 'dotted' },
    symbolSize: () => 0,
  }
  const chart: LineChart = {
    lines: [...lines, linear],
    x: { name: 'messages', type: 'log' },
    y: { name: 'cost, × that at the smallest size', type: 'log' },
  }
  return {
    name: 'growth',
    alt: 'What operations cost in long conversations, as a multiple of what they cost in the shortest.',
    option: lineChart(chart),
    height: lineChartHeight(chart),
  }
}
