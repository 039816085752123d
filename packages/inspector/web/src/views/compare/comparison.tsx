import { Checkbox } from '@mantine/core'
import { useDeferredValue, useMemo, useState } from 'react'
import type { SessionView, ViewMessage } from '../../../../src/view/session-view.ts'
import { Chart } from '../../charts/chart.tsx'
import { useChartInk } from '../../charts/use-chart-ink.ts'
import { createContextAt } from '../../data/context-at.ts'
import { Notice } from '../../shell/notice.tsx'
import type { ViewProps } from '../../view-props.ts'
import { RequestPicker } from '../request-picker.tsx'
import { RequestSlider } from '../request-slider.tsx'
import classes from './compare.module.css'
import { compareOption } from './compare-option.ts'
import { ContextPane } from './context-pane.tsx'
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
        <section className={classes.panel} aria-label="Prompts, request by request">
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
