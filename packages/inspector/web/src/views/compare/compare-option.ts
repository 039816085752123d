import type { EChartsOption, LineSeriesOption } from 'echarts'
import type { SessionView } from '../../../../src/view/session-view.ts'
import { axisStyle, DATA_LAYER, pointerStyle, tooltipStyle, zoomStyle } from '../../charts/chart-style.ts'
import { tooltipTable } from '../../charts/tooltip-table.ts'
import type { ChartInk } from '../../charts/use-chart-ink.ts'
import { promptTokens } from '../../data/session-figures.ts'
import { formatCount, formatShort } from '../../format.ts'

export function compareOption(views: readonly SessionView[], ink: ChartInk): EChartsOption {
  const count = Math.max(...views.map(({ requests }) => requests.length))
  const style = axisStyle(ink)
  const sides = views.map((view, place) => ({ view, color: ink.side(place) }))
  return {
    animation: false,
    grid: { left: 52, right: 16, top: 16, bottom: 54 },
    axisPointer: pointerStyle,
    tooltip: {
      ...tooltipStyle(ink),
      axisPointer: { type: 'line', lineStyle: { color: ink.text } },
      formatter: (hit) => {
        const index = Array.isArray(hit) ? (hit[0]?.dataIndex ?? -1) : hit.dataIndex
        const lines = sides.map(({ view, color }) => {
          const request = view.requests[index]
          return { color, name: view.engine, value: request ? formatCount(promptTokens(request)) : '–' }
        })
        return tooltipTable(`Request ${index + 1}`, lines)
      },
    },
    xAxis: {
      ...style.x,
      type: 'category',
      data: Array.from({ length: count }, (_, index) => String(index + 1)),
    },
    yAxis: {
      ...style.y,
      type: 'value',
      axisLabel: { ...style.y.axisLabel, formatter: formatShort },
    },
    dataZoom: zoomStyle(ink, count, [0]),
    series: sides.map(
      ({ view, color }, place): LineSeriesOption => ({
        id: `side ${place}`,
        name: view.engine,
        type: 'line',
        zlevel: DATA_LAYER,
        step: 'end',
        data: view.requests.map(promptTokens),
        symbol: count === 1 ? 'circle' : 'none',
        silent: true,
        color,
        lineStyle: { width: 1.5 },
      }),
    ),
  }
}
