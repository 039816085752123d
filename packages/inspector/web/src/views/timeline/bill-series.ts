import type { SeriesOption } from 'echarts'
import type { ViewRequest } from '../../../../src/view/session-view.ts'
import { CACHE_PARTS, cacheLabels } from '../../charts/cache-colors.ts'
import { DATA_LAYER } from '../../charts/chart-style.ts'
import { columnSeries } from '../../charts/column-series.ts'
import type { ChartInk } from '../../charts/use-chart-ink.ts'
import { cumulativeUsd } from '../../data/cumulative-usd.ts'

/** What a cache does with each prompt, in percent, and the dollars until then. `room`: pixels of one column. */
export function billSeries(requests: readonly ViewRequest[], ink: ChartInk, room: number): SeriesOption[] {
  return [
    ...CACHE_PARTS.map((part) =>
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
