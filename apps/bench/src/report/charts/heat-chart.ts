import type { EChartsOption } from 'echarts'
import { axis, BASE, ON_SHADES, PAPER, SHADES } from './theme.ts'

export interface HeatChart {
  readonly columns: readonly string[]
  readonly unit: string
  /** From above to below; values in percent. */
  readonly rows: readonly { readonly name: string; readonly values: readonly number[] }[]
}

const ROW = 30
const MARGINS = { top: 16, bottom: 56, left: 190, right: 24 }

export const heatChartHeight = ({ rows }: HeatChart): number =>
  MARGINS.top + MARGINS.bottom + rows.length * ROW

/** Cells that are darker the more they hold, each with its number. */
export function heatChart({ columns, rows, unit }: HeatChart): EChartsOption {
  const most = Math.max(1, ...rows.flatMap(({ values }) => values))
  return {
    ...BASE,
    grid: MARGINS,
    xAxis: { type: 'category', data: [...columns], ...axis(unit, 32), axisTick: { show: false } },
    yAxis: {
      type: 'category',
      data: rows.map(({ name }) => name),
      inverse: true,
      ...axis('', 0),
      axisTick: { show: false },
    },
    visualMap: { show: false, min: 0, max: most, inRange: { color: [...SHADES] } },
    series: [
      {
        type: 'heatmap',
        data: rows.flatMap(({ values }, row) => values.map((value, column) => [column, row, value])),
        itemStyle: { borderColor: PAPER, borderWidth: 1 },
        label: {
          show: true,
          color: ON_SHADES,
          formatter: ({ value }) => (Array.isArray(value) ? `${Math.round(Number(value[2]))}` : ''),
        },
      },
    ],
  }
}
