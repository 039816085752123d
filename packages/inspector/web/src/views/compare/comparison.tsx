import { Badge, Checkbox } from '@mantine/core'
import type { EChartsOption, LineSeriesOption } from 'echarts'
import { useDeferredValue, useMemo, useState } from 'react'
import type { SessionView, ViewMessage } from '../../../../src/view/session-view.ts'
import { Chart } from '../../charts/chart.tsx'
import { axisStyle, DATA_LAYER, pointerStyle, tooltipStyle, zoomStyle } from '../../charts/chart-style.ts'
import { tooltipTable } from '../../charts/tooltip-table.ts'
import { type ChartInk, useChartInk } from '../../charts/use-chart-ink.ts'
import { createContextAt } from '../../data/contexts.ts'
import { promptTokens } from '../../data/session-figures.ts'
import { formatAmount, formatCount, formatShort } from '../../format.ts'
import type { ViewProps } from '../../route.ts'
import { Notice } from '../../shell/notice.tsx'
import { cssColor, sideColor } from '../../ui/colors.ts'
import { estimateHeight, MessageCard } from '../../ui/message-card.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { RequestPicker, RequestSlider } from '../requests.tsx'
import classes from './compare.module.css'
import { FiguresTable } from './figures-table.tsx'

interface ComparisonProps extends ViewProps {
  readonly other: SessionView
  readonly more: readonly SessionView[]
}

export function Comparison({ view, route, go, other, more }: ComparisonProps) {
  const ink = useChartInk()
  const all = useMemo(() => [view, other, ...more], [view, other, more])
  const option = useMemo(() => compareOption(all, ink), [all, ink])
  const [onlyDifferences, setOnlyDifferences] = useState(false)
  const count = Math.max(view.requests.length, other.requests.length)
  const request = Math.min(route.request ?? count - 1, count - 1)
  const shown = useDeferredValue(request)
  const left = useContextAt(view, shown)
  const right = useContextAt(other, shown)
  const difference = useMemo(
    () =>
      contextDifference(
        { messages: view.messages, context: left },
        { messages: other.messages, context: right },
      ),
    [view.messages, other.messages, left, right],
  )
  if (count === 0)
    return <Notice title="No request yet" message="Neither of the two has asked the model yet." />
  const longer = view.requests.length === count ? view : other
  const goTo = (to: number) => go({ page: 'compare', other: other.id, request: to })
  return (
    <>
      <div className={classes.overview}>
        <section className={`panel ${classes.scroller}`} aria-label="Prompts, request by request">
          <RequestSlider
            view={longer}
            request={request}
            onChange={goTo}
            onOpen={() => go({ page: 'context', request: Math.min(request, view.requests.length - 1) })}
          >
            <Chart option={option} height={280} selected={request} onPick={goTo} />
          </RequestSlider>
        </section>
        <FiguresTable views={all} />
      </div>
      <div className="tool-bar">
        <RequestPicker request={request} count={count} onChange={goTo} />
        <Checkbox
          size="xs"
          label="Only what differs"
          checked={onlyDifferences}
          onChange={(event) => setOnlyDifferences(event.currentTarget.checked)}
        />
      </div>
      <div className={classes.panes}>
        {(['left', 'right'] as const).map((side) => (
          <ContextPane
            key={side}
            side={side}
            view={side === 'left' ? view : other}
            request={shown}
            context={side === 'left' ? left : right}
            only={difference[side]}
            onlyDifferences={onlyDifferences}
          />
        ))}
      </div>
    </>
  )
}

function useContextAt({ requests }: SessionView, request: number): readonly number[] {
  const contextAt = useMemo(() => createContextAt(requests), [requests])
  return useMemo(() => contextAt(request), [contextAt, request])
}

interface ContextOf {
  readonly messages: readonly ViewMessage[]
  readonly context: readonly number[]
}

/** Compares the contexts of two views by what is in them: an index means something within its own view only. */
function contextDifference(left: ContextOf, right: ContextOf) {
  return { left: missingIn(right, left), right: missingIn(left, right) }
}

function missingIn(other: ContextOf, own: ContextOf): ReadonlySet<number> {
  const known = new Set(other.context.map((index) => contentKey(other.messages[index])))
  return new Set(own.context.filter((index) => !known.has(contentKey(own.messages[index]))))
}

function contentKey(message: ViewMessage | undefined): string {
  if (!message) return ''
  const { role, kind, text, calls, callId, attachments } = message
  return JSON.stringify([role, kind, text, calls, callId, attachments])
}

function compareOption(views: readonly SessionView[], ink: ChartInk): EChartsOption {
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

interface ContextPaneProps {
  readonly side: 'left' | 'right'
  readonly view: SessionView
  readonly request: number
  readonly context: readonly number[]
  readonly only: ReadonlySet<number>
  readonly onlyDifferences: boolean
}

const keyOf = (index: number) => index

function ContextPane({ side, view, request, context, only, onlyDifferences }: ContextPaneProps) {
  const items = useMemo(
    () => (onlyDifferences ? context.filter((index) => only.has(index)) : context),
    [context, only, onlyDifferences],
  )
  const made = view.requests[request]
  return (
    <section
      className={classes.pane}
      aria-label={`Context of ${view.engine}, ${side}`}
      data-testid={`${side}-context`}
    >
      <h2 className={classes.paneHead}>
        <i className="swatch" style={{ background: cssColor(sideColor(side === 'left' ? 0 : 1)) }} />
        <PlainText text={view.engine} />
        <span className={classes.quiet}>
          {made
            ? `${formatAmount(context.length, 'message')}, ${formatAmount(promptTokens(made), 'token')}; only here: ${formatCount(only.size)}`
            : `has no request ${formatCount(request + 1)}`}
        </span>
      </h2>
      <VirtualList
        items={items}
        keyOf={keyOf}
        estimate={(index) => {
          const message = view.messages[index]
          return message ? estimateHeight(message) : 0
        }}
        render={(index) => {
          const message = view.messages[index]
          return (
            message && (
              <MessageCard message={message} index={index}>
                {only.has(index) && (
                  <Badge size="xs" variant="light" color={side === 'left' ? 'indigo' : 'orange'}>
                    only here
                  </Badge>
                )}
              </MessageCard>
            )
          )
        }}
        label={`Messages that ${view.engine} shows, ${side}`}
        height={560}
      />
    </section>
  )
}
