import type { MarkLineComponentOption } from 'echarts'
import type { SessionView } from '../../../../src/view/session-view.ts'
import type { ChartInk } from '../../charts/use-chart-ink.ts'
import { formatShort } from '../../format.ts'

/** A limit that is further away than this many times the largest prompt would leave nothing to be seen of the prompts. */
const FARTHEST = 3

/** The threshold and the window as lines, where there is room for them, and where the chart ends. */
export function limitLines({ threshold, window }: SessionView, largest: number) {
  const limits = [
    { name: 'window', tokens: window },
    { name: 'compacts from', tokens: threshold },
  ].filter(({ tokens }) => tokens > 0 && tokens <= Math.max(largest, 1) * FARTHEST)
  const top = Math.ceil(Math.max(largest, ...limits.map(({ tokens }) => tokens), 1) * 1.08)
  return {
    /** In tokens. */
    top,
    mark: (ink: ChartInk): MarkLineComponentOption => ({
      silent: true,
      symbol: 'none',
      animation: false,
      lineStyle: { color: ink.text, type: 'solid', width: 1 },
      label: { color: ink.text, fontSize: 11, position: 'insideStartTop', distance: [4, 5] },
      data: limits.map(({ name, tokens }) => ({
        yAxis: tokens,
        label: { formatter: `${name} ${formatShort(tokens)}` },
      })),
    }),
  }
}
