import type { ScatterSeriesOption } from 'echarts'
import type { SessionView } from '../../../../src/view/session-view.ts'
import type { ChartInk } from '../../charts/use-chart-ink.ts'

/** Pixels that a mark wants for itself; where there are fewer, marks are strokes. */
const CROWD = 10

interface CompactionSeriesOptions {
  readonly view: SessionView
  readonly ink: ChartInk
  /** Where the chart ends, in tokens. */
  readonly top: number
  /** Pixels. */
  readonly width: number
}

/** A mark above each request that a compaction was made for: full when it changed something, else hollow. */
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
