import type { BillRow } from '../../cost/bill-report.ts'
import type { RecallRow } from '../../recall/recall-report.ts'
import { distinct } from '../arm-table.ts'
import type { ArmFacts } from '../bench-report.ts'
import type { Chart } from '../section.ts'
import { type Line, type LineChart, lineChart, lineChartHeight } from './line-chart.ts'
import { armStyle } from './theme.ts'

export interface TradeOffInput {
  readonly bills: readonly BillRow[]
  readonly recall: readonly RecallRow[]
  readonly arms: readonly ArmFacts[]
}

/** Pixels of the point of the smallest budget, and how much larger each next one is. */
const POINT = { least: 6, step: 4 }

/** What is kept against what it costs: an arm a line, a budget a point. */
export function tradeOffChart({ bills, recall, arms }: TradeOffInput): Chart {
  const lines = distinct(bills.map(({ arm }) => arm)).flatMap((arm): Line[] => {
    const points = bills
      .filter((bill) => bill.arm === arm)
      .toSorted((a, b) => a.budget - b.budget)
      .flatMap(({ total, budget }): [number, number][] => {
        const kept = recall.find((row) => row.arm === arm && row.budget === budget)?.assistant.mean
        return kept === undefined || kept === null ? [] : [[total, kept.mean]]
      })
    const symbolSize = (index: number) => POINT.least + POINT.step * index
    return points.length === 0 ? [] : [{ name: arm, points, style: armStyle(arms, arm), symbolSize }]
  })
  const chart: LineChart = {
    lines,
    x: { name: 'prompts and summaries of all sessions, US dollars', type: 'value' },
    y: { name: 'far re-references in the projection, share', type: 'value' },
  }
  return {
    name: 'recall-against-cost',
    alt: 'Far re-reference recall of every arm against its bill, with a point for each budget.',
    option: lineChart(chart),
    height: lineChartHeight(chart),
  }
}
