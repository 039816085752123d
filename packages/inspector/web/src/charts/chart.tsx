import type { EChartsOption } from 'echarts'
import { BarChart, LineChart, ScatterChart } from 'echarts/charts'
import {
  AxisPointerComponent,
  DataZoomInsideComponent,
  DataZoomSliderComponent,
  GridComponent,
  MarkLineComponent,
  TooltipComponent,
} from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef, useState } from 'react'

// Only what the page's charts use: the whole library is four times as large.
use([
  AxisPointerComponent,
  BarChart,
  CanvasRenderer,
  DataZoomInsideComponent,
  DataZoomSliderComponent,
  GridComponent,
  LineChart,
  MarkLineComponent,
  ScatterChart,
  TooltipComponent,
])

/** Makes a chart in an element. */
const initChart = (host: HTMLElement) => init(host, null, { renderer: 'canvas' })

type ChartInstance = ReturnType<typeof initChart>

interface ChartProps {
  readonly option: EChartsOption
  readonly height: number
  readonly selected?: number
  readonly onPick?: (column: number) => void
}

/** A chart over columns. The numbers stand beside it as text: to a screen reader the canvas is nothing. */
export function Chart({ option, height, selected, onPick }: ChartProps) {
  const host = useRef<HTMLDivElement>(null)
  const [chart, setChart] = useState<ChartInstance>()
  // Changes whenever columns stand elsewhere on the screen than before.
  const [layout, setLayout] = useState(0)

  useEffect(() => {
    if (!host.current) return
    const instance = initChart(host.current)
    const moved = () => setLayout((count) => count + 1)
    const element = host.current
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === instance.getWidth() && element.clientHeight === instance.getHeight()) return
      instance.resize()
      moved()
    })
    observer.observe(element)
    instance.on('dataZoom', moved)
    setChart(instance)
    return () => {
      observer.disconnect()
      instance.dispose()
      setChart(undefined)
    }
  }, [])

  useEffect(() => {
    // The zoom stays where the reader put it.
    chart?.setOption(option, { replaceMerge: ['series', 'grid', 'xAxis', 'yAxis'] })
    setLayout((count) => count + 1)
  }, [chart, option])

  useEffect(() => {
    if (!chart) return
    const surface = chart.getZr()
    const click = ({ offsetX, offsetY }: { offsetX: number; offsetY: number }) => {
      if (!chart.containPixel('grid', [offsetX, offsetY])) return
      const column = chart.convertFromPixel({ xAxisIndex: 0 }, offsetX)
      if (typeof column === 'number' && column >= 0) onPick?.(Math.round(column))
    }
    surface.on('click', click)
    return () => {
      // A chart that is gone has taken its listeners along.
      if (!chart.isDisposed()) surface.off('click', click)
    }
  }, [chart, onPick])

  const [mark, setMark] = useState<number>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `layout` says that columns have moved
  useEffect(() => {
    const x = chart && selected !== undefined ? chart.convertToPixel({ xAxisIndex: 0 }, selected) : undefined
    const isInside = x !== undefined && chart?.containPixel({ gridIndex: 0 }, [x, 40])
    setMark(isInside ? x : undefined)
  }, [chart, selected, layout])

  return (
    <div style={{ position: 'relative', height }} aria-hidden="true">
      <div ref={host} style={{ position: 'absolute', inset: 0 }} />
      {mark !== undefined && (
        <div
          style={{
            position: 'absolute',
            insetBlock: '24px 34px',
            left: mark,
            width: 0,
            borderLeft: '1.5px solid var(--mantine-primary-color-filled)',
            pointerEvents: 'none',
          }}
        />
      )}
    </div>
  )
}
