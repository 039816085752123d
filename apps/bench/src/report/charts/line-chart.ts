import type { EChartsOption } from 'echarts'
import { axis, BASE, type LineStyle, legend } from './theme.ts'

export interface Line {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
  readonly style: LineStyle
  /** Size of a point's symbol in pixels, by its index; 0 for none. */
  readonly symbolSize: (index: number) => number
}

export interface LineChart {
  readonly lines: readonly Line[]
  /** Name of an axis, with its unit, and how it divides. */
  readonly x: LineAxis
  readonly y: LineAxis
}

export interface LineAxis {
  readonly name: string
  readonly type: 'value' | 'log'
}

/** Pixels: of the picture below the legend, of a line of the legend, of a letter and of what stands beside a name in it. */
const PLOT = 400
const LEGEND = { line: 36, letter: 6, beside: 60, width: 780 }

/** Names beside each other wrap. */
function legendHeight(names: readonly string[]): number {
  let [lines, used] = [1, 0]
  for (const name of names) {
    const width = name.length * LEGEND.letter + LEGEND.beside
    if (used > 0 && used + width > LEGEND.width) [lines, used] = [lines + 1, 0]
    used += width
  }
  return (lines + 0.5) * LEGEND.line
}

const namesOf = ({ lines }: LineChart): string[] => lines.map(({ name }) => name)

export const lineChartHeight = (chart: LineChart): number => legendHeight(namesOf(chart)) + PLOT

/** Points that are joined by lines, each with the colour and the shape of its own. */
export function lineChart(chart: LineChart): EChartsOption {
  const { lines, x, y } = chart
  const names = namesOf(chart)
  return {
    ...BASE,
    legend: { ...legend(names), itemWidth: 32 },
    grid: { top: legendHeight(names), bottom: 56, left: 76, right: 36 },
    xAxis: { type: x.type, ...axis(x.name, 32), ...(x.type === 'log' && { min: 'dataMin', max: 'dataMax' }) },
    yAxis: { type: y.type, ...axis(y.name, 52) },
    series: lines.map(({ name, points, style: { color, symbol, line }, symbolSize }) => ({
      type: 'line',
      name,
      data: points.map(([...point]) => point),
      clip: false,
      symbol,
      showSymbol: true,
      symbolSize: (_: unknown, { dataIndex }: { dataIndex: number }) => symbolSize(dataIndex),
      lineStyle: { color, type: line, width: 2 },
      itemStyle: { color },
    })),
  }
}
