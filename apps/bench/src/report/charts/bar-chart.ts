import type { CustomSeriesOption, EChartsOption } from 'echarts'
import type { Estimate } from '../../bootstrap.ts'
import { axis, BASE, INK, legend, PALETTE } from './theme.ts'

export interface BarSeries {
  readonly name: string
  /** One for each category. */
  readonly values: readonly (Estimate | null)[]
}

export interface BarChart {
  /** From above to below. */
  readonly categories: readonly string[]
  readonly series: readonly BarSeries[]
  /** Name of the axis of values, with its unit. */
  readonly unit: string
  /** Where the axis ends. */
  readonly most: number
}

/** Pixels: of a bar, between categories, and above and below the bars. */
const BAR = 12
const GAP = 14
const MARGINS = { top: 44, bottom: 52, left: 190, right: 36 }

export function barChartHeight({ categories, series }: BarChart): number {
  return MARGINS.top + MARGINS.bottom + categories.length * (series.length * BAR + GAP)
}

/** Bars that lie, a group for each category, with their intervals as thin lines. */
export function barChart({ categories, series, unit, most }: BarChart): EChartsOption {
  return {
    ...BASE,
    legend: legend(series.map(({ name }) => name)),
    grid: MARGINS,
    xAxis: { type: 'value', min: 0, max: most, ...axis(unit, 30) },
    yAxis: {
      type: 'category',
      data: [...categories],
      inverse: true,
      ...axis('', 0),
      axisTick: { show: false },
    },
    series: [
      ...series.map(({ name, values }, index) => ({
        type: 'bar' as const,
        name,
        barWidth: BAR - 2,
        barGap: '20%',
        itemStyle: { color: PALETTE[index % PALETTE.length] ?? INK },
        data: values.map((value) => value?.mean ?? null),
      })),
      ...series.map(({ values }, index) => whiskers(values, index, series.length)),
    ],
  }
}

/** The intervals of a series: from low to high, through the middle of its bar. */
function whiskers(values: readonly (Estimate | null)[], index: number, count: number): CustomSeriesOption {
  const middle = (index - (count - 1) / 2) * BAR
  return {
    type: 'custom',
    silent: true,
    z: 3,
    encode: { x: [0, 1], y: 2 },
    data: values.flatMap((value, category) => (value === null ? [] : [[value.low, value.high, category]])),
    renderItem(_, { coord, value }) {
      const [from = 0, y = 0] = coord([value(0), value(2)])
      const [to = 0] = coord([value(1), value(2)])
      return {
        type: 'line',
        shape: { x1: from, x2: to, y1: y + middle, y2: y + middle },
        style: { stroke: INK, lineWidth: 1.5, fill: 'none' },
      }
    },
  }
}
