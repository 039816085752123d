import type { MarkLineComponentOption, ScatterSeriesOption, SeriesOption } from 'echarts'
import type { SessionView, ViewRequest } from '../../../../src/view/session-view.ts'
import { columnSeries, DATA_LAYER } from '../../charts/chart-style.ts'
import type { ChartInk } from '../../charts/use-chart-ink.ts'
import { cumulativeUsd, providerFactor } from '../../data/session-figures.ts'
import { formatShort } from '../../format.ts'
import { CACHE_PARTS, cacheLabels } from '../../ui/colors.ts'

export function billSeries(requests: readonly ViewRequest[], ink: ChartInk, room: number): SeriesOption[] {
  return [
    ...CACHE_PARTS.flatMap((part) =>
      columnSeries({
        id: `cache ${part}`,
        name: cacheLabels[part],
        color: ink.cache[part],
        stack: 'cache',
        axis: 1,
        room,
        values: requests.map(({ cache }) => {
          if (!cache) return null
          const whole = cache.read + cache.written + cache.uncached
          return whole === 0 ? null : (100 * cache[part]) / whole
        }),
      }),
    ),
    {
      id: 'dollars',
      name: 'Dollars until here',
      type: 'line',
      zlevel: DATA_LAYER,
      xAxisIndex: 1,
      yAxisIndex: 2,
      data: [...cumulativeUsd(requests)],
      symbol: requests.length === 1 ? 'circle' : 'none',
      silent: true,
      color: ink.strong,
      lineStyle: { width: 1.5 },
    },
  ]
}

const CROWD = 10

interface CompactionSeriesOptions {
  readonly view: SessionView
  readonly ink: ChartInk
  readonly top: number
  readonly width: number
}

export function compactionSeries({ view, ink, top, width }: CompactionSeriesOptions): ScatterSeriesOption {
  const isCrowded = view.compactions.length * CROWD > width
  return {
    id: 'compactions',
    name: 'Compactions',
    type: 'scatter',
    ...(isCrowded
      ? { symbol: 'rect', symbolSize: [1, 7], symbolOffset: [0, -6] }
      : { symbol: 'triangle', symbolRotate: 180, symbolSize: 8, symbolOffset: [0, -7] }),
    cursor: 'pointer',
    clip: false,
    z: 5,
    data: view.compactions
      .filter(({ request }) => request < view.requests.length)
      .map(({ request, outcome }) => ({
        value: [request, top],
        itemStyle: {
          color: outcome === 'compacted' ? ink.strong : 'transparent',
          borderColor: ink.strong,
          borderWidth: 1,
        },
      })),
  }
}

/** A limit that is further away than this many times the largest prompt would leave nothing to be seen of the prompts. */
const FARTHEST = 3

/** Less of a difference between two counts than this may come from the engine's tools, which not every count has in it. */
const SAME = 0.05

/**
 * The window and the threshold, where they stand in the counts of the chart: the provider's decided. `largest`: of what is
 * drawn, in tokens.
 */
export function limitLines({ threshold, window, requests }: SessionView, prompts: number, largest: number) {
  const counted = providerFactor(requests)
  const isSame = Math.abs(counted - 1) < SAME
  const [factor, note] = isSame ? [1, ''] : [counted, " by the provider's count"]
  const limits = [
    { name: 'window', tokens: window },
    { name: 'compacts from', tokens: threshold },
  ]
    .map((limit) => ({ ...limit, at: limit.tokens / factor }))
    .filter(({ at }) => at > 0 && at <= Math.max(prompts, 1) * FARTHEST)
  const top = Math.ceil(Math.max(largest, ...limits.map(({ at }) => at), 1) * 1.08)
  return {
    top,
    mark: (ink: ChartInk): MarkLineComponentOption => ({
      silent: true,
      symbol: 'none',
      animation: false,
      lineStyle: { color: ink.text, type: 'solid', width: 1 },
      label: { color: ink.text, fontSize: 11, position: 'insideStartTop', distance: [4, 5] },
      data: limits.map(({ name, tokens, at }) => ({
        yAxis: at,
        label: { formatter: `${name} ${formatShort(tokens)}${note}` },
      })),
    }),
  }
}
