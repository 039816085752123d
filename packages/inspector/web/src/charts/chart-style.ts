import type {
  BarSeriesOption,
  DataZoomComponentOption,
  LineSeriesOption,
  TooltipComponentOption,
} from 'echarts'
import type { ChartInk } from './use-chart-ink.ts'

/** The canvas that only data is drawn on: what moves with the pointer is above it, and does not draw it anew. */
export const DATA_LAYER = -1

const SLIDER_FROM = 60

export function axisStyle(ink: ChartInk) {
  const axisLabel = { color: ink.text, fontSize: 11, hideOverlap: true }
  return {
    x: {
      zlevel: DATA_LAYER,
      axisLabel,
      axisLine: { lineStyle: { color: ink.line } },
      axisTick: { show: false },
      splitLine: { show: false },
    },
    y: {
      zlevel: DATA_LAYER,
      axisLabel,
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { lineStyle: { color: ink.line } },
    },
  }
}

/** A pointer that changes nothing of the data, which would have to be drawn anew for every move. */
export const pointerStyle = { triggerTooltip: true, triggerEmphasis: false }

export function tooltipStyle(ink: ChartInk): TooltipComponentOption {
  return {
    trigger: 'axis',
    confine: true,
    transitionDuration: 0,
    backgroundColor: ink.panel,
    borderColor: ink.line,
    padding: [6, 10],
    textStyle: { color: ink.strong, fontSize: 12 },
    axisPointer: { type: 'shadow', shadowStyle: { color: ink.text, opacity: 0.15 } },
  }
}

/** Zoom with Ctrl and the wheel (the wheel alone scrolls the page), with two fingers, and with a slider. */
export function zoomStyle(ink: ChartInk, columns: number, xAxisIndex: number[]): DataZoomComponentOption[] {
  return [
    { id: 'inside', type: 'inside', xAxisIndex, zoomOnMouseWheel: 'ctrl', moveOnMouseWheel: false },
    {
      id: 'slider',
      type: 'slider',
      xAxisIndex,
      show: columns >= SLIDER_FROM,
      height: 18,
      bottom: 6,
      showDataShadow: false,
      showDetail: false,
      brushSelect: false,
      borderColor: ink.line,
      fillerColor: `${ink.text}22`,
      handleStyle: { color: ink.panel, borderColor: ink.text },
      moveHandleSize: 0,
    },
  ]
}

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
