import type { BarSeriesOption, LineSeriesOption } from 'echarts'
import { DATA_LAYER } from './chart-style.ts'

const THINNEST_BAR = 4

const WIDE_BAR = 10

interface ColumnSeries {
  readonly id: string
  readonly name: string
  readonly color: string
  readonly values: readonly (number | null)[]
  readonly stack: string
  readonly axis?: number
  readonly room: number
}

/** One series; none for a kind that has nothing to draw: a long session has tens of thousands of columns. */
export function columnSeries({
  id,
  name,
  color,
  values,
  stack,
  axis = 0,
  room,
}: ColumnSeries): (BarSeriesOption | LineSeriesOption)[] {
  if (!values.some(Boolean)) return []
  const shared = {
    zlevel: DATA_LAYER,
    id,
    name,
    stack,
    xAxisIndex: axis,
    yAxisIndex: axis,
    data: [...values],
    color,
  }
  if (room >= THINNEST_BAR) {
    const bar: BarSeriesOption = {
      ...shared,
      type: 'bar', // Without room between them each covers the edge of the next: seams would show.
      barWidth: room < WIDE_BAR ? '106%' : '88%',
      cursor: 'pointer',
    }
    return [bar]
  }
  const area: LineSeriesOption = {
    ...shared,
    type: 'line',
    step: 'end',
    symbol: 'none',
    lineStyle: { width: 0 },
    areaStyle: { color, opacity: 1 },
    silent: true,
  }
  return [area]
}
