import type { EChartsOption, SeriesOption } from 'echarts'
import type { SessionView, ViewRequest } from '../../../../src/view/session-view.ts'
import {
  axisStyle,
  columnSeries,
  DATA_LAYER,
  pointerStyle,
  tooltipStyle,
  zoomStyle,
} from '../../charts/chart-style.ts'
import { tooltipTable } from '../../charts/tooltip-table.ts'
import type { ChartInk } from '../../charts/use-chart-ink.ts'
import { KINDS, promptTokens } from '../../data/session-figures.ts'
import { describeCompaction, formatCount, formatShort, formatUsd } from '../../format.ts'
import { CACHE_PARTS, cacheLabels, tokenKindLabels } from '../../ui/colors.ts'
import { billSeries, compactionSeries, limitLines } from './timeline-series.ts'

interface TimelineOptions {
  readonly view: SessionView
  readonly ink: ChartInk
  readonly hasWithout: boolean
  readonly height: number
  readonly width: number
}

export function timelineOption({ view, ink, hasWithout, height, width }: TimelineOptions): EChartsOption {
  const { requests } = view
  const columns = requests.map((_, index) => String(index + 1))
  const hasBill = requests.some(({ cache }) => cache !== null)
  const { top, bill } = divide(height, hasBill)
  const side = { left: 52, right: hasBill ? 56 : 16 }
  const room = (width - side.left - side.right) / requests.length
  const style = axisStyle(ink)
  const largest = requests.reduce((most, request) => Math.max(most, promptTokens(request)), 0)
  const drawn = hasWithout ? Math.max(largest, largestWithout(requests)) : largest
  const limits = limitLines(view, largest, drawn)
  const series: SeriesOption[] = [
    ...KINDS.flatMap((kind) =>
      columnSeries({
        id: kind,
        name: tokenKindLabels[kind],
        color: ink.kinds[kind],
        stack: 'prompt',
        room,
        values: requests.map(({ tokens }) => tokens[kind]),
      }),
    ),
    {
      id: 'without',
      name: 'Without the engine',
      type: 'line',
      zlevel: DATA_LAYER,
      data: hasWithout ? requests.map(({ without }) => without) : [],
      symbol: requests.length === 1 ? 'circle' : 'none',
      silent: true,
      color: ink.strong,
      lineStyle: { width: 1.5, type: [5, 4] },
      markLine: limits.mark(ink),
    },
    compactionSeries({ view, ink, top: limits.top, width }),
    ...(hasBill ? billSeries(requests, ink, room) : []),
  ]
  return {
    animation: false,
    grid: [
      { ...side, top: 24, height: top },
      ...(hasBill ? [{ ...side, top: 24 + top + 34, height: bill }] : []),
    ],
    axisPointer: { link: [{ xAxisIndex: 'all' }], ...pointerStyle },
    tooltip: { ...tooltipStyle(ink), formatter: (hit) => requestTooltip(view, ink, hit) },
    xAxis: [
      { ...style.x, type: 'category', data: columns, axisLabel: { ...style.x.axisLabel, show: !hasBill } },
      ...(hasBill ? [{ ...style.x, type: 'category' as const, data: columns, gridIndex: 1 }] : []),
    ],
    yAxis: [
      {
        ...style.y,
        type: 'value',
        max: limits.top,
        axisLabel: { ...style.y.axisLabel, formatter: formatShort, showMaxLabel: false },
      },
      ...(hasBill
        ? [
            {
              ...style.y,
              type: 'value' as const,
              gridIndex: 1,
              max: 100,
              interval: 50,
              axisLabel: { ...style.y.axisLabel, formatter: '{value}%' },
            },
            {
              ...style.y,
              type: 'value' as const,
              gridIndex: 1,
              splitNumber: 2,
              splitLine: { show: false },
              axisLabel: { ...style.y.axisLabel, formatter: (value: number) => `$${formatShort(value)}` },
            },
          ]
        : []),
    ],
    dataZoom: zoomStyle(ink, requests.length, hasBill ? [0, 1] : [0]),
    series,
  }
}

export function largestWithout(requests: readonly ViewRequest[]): number {
  return requests.reduce((most, { without }) => Math.max(most, without), 0)
}

function divide(height: number, hasBill: boolean) {
  const rest = height - 24 - 58
  if (!hasBill) return { top: rest, bill: 0 }
  const bill = Math.round((rest - 34) * 0.28)
  return { top: rest - 34 - bill, bill }
}

function requestTooltip(view: SessionView, ink: ChartInk, hit: unknown): HTMLElement | string {
  const index = columnOf(hit)
  const request = view.requests[index]
  if (!request) return ''
  const lines = [...KINDS]
    .reverse()
    .filter((kind) => request.tokens[kind] > 0)
    .map((kind) => ({
      color: ink.kinds[kind],
      name: tokenKindLabels[kind],
      value: formatCount(request.tokens[kind]),
    }))
  lines.push({ color: 'transparent', name: 'Prompt', value: formatCount(promptTokens(request)) })
  lines.push({ color: 'transparent', name: 'Without the engine', value: formatCount(request.without) })
  const { cache } = request
  if (cache) {
    for (const part of CACHE_PARTS)
      lines.push({ color: ink.cache[part], name: cacheLabels[part], value: formatCount(cache[part]) })
    if (cache.usd !== null)
      lines.push({ color: 'transparent', name: `Prompt, ${cache.from}`, value: formatUsd(cache.usd) })
  }
  const notes = view.compactions.filter((made) => made.request === index).map(describeCompaction)
  return tooltipTable(`Request ${index + 1}`, lines, notes)
}

function columnOf(hit: unknown): number {
  const first: unknown = Array.isArray(hit) ? hit[0] : hit
  if (typeof first !== 'object' || first === null) return -1
  if ('axisValue' in first && first.axisValue !== undefined) return Number(first.axisValue) - 1
  return 'dataIndex' in first && typeof first.dataIndex === 'number' ? first.dataIndex : -1
}
