import { Badge, Checkbox } from '@mantine/core'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { SessionView, ViewMessage } from '../../../../src/view/session-view.ts'
import { contextAt } from '../../data/contexts.ts'
import { promptTokens } from '../../data/session-figures.ts'
import { formatAmount, formatCount } from '../../format.ts'
import type { ViewProps } from '../../route.ts'
import { Notice } from '../../shell/notice.tsx'
import { sideColor } from '../../ui/colors.ts'
import { estimateHeight, MessageCard } from '../../ui/message-card.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { TokenChart } from '../../ui/token-chart.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { engineMeaning } from '../engine-meaning.ts'
import { RequestPicker } from '../requests.tsx'
import classes from './compare.module.css'
import { FiguresTable } from './figures-table.tsx'

interface ComparisonProps extends ViewProps {
  readonly other: SessionView
  readonly more: readonly SessionView[]
}

export function Comparison({ view, route, go, other, more }: ComparisonProps) {
  const all = useMemo(() => [view, other, ...more], [view, other, more])
  const lines = useMemo(
    () =>
      all.map(({ id, requests }, place) => ({
        name: id,
        color: sideColor(place),
        values: requests.map(promptTokens),
      })),
    [all],
  )
  const [onlyDifferences, setOnlyDifferences] = useState(false)
  const count = Math.max(view.requests.length, other.requests.length)
  const request = Math.min(route.request ?? count - 1, count - 1)
  const shown = useDeferredValue(request)
  const left = useMemo(() => contextAt(view.requests, shown), [view.requests, shown])
  const right = useMemo(() => contextAt(other.requests, shown), [other.requests, shown])
  const difference = useMemo(
    () => ({
      left: missingIn(other.messages, right, view.messages, left),
      right: missingIn(view.messages, left, other.messages, right),
    }),
    [view.messages, other.messages, left, right],
  )
  const columns = Math.max(...lines.map(({ values }) => values.length))
  const goTo = useCallback(
    (to: number) => go({ page: 'compare', other: other.id, request: Math.min(to, count - 1) }),
    [go, other.id, count],
  )
  if (count === 0)
    return <Notice title="No request yet" message="Neither of the two has asked the model yet." />
  return (
    <>
      <div className={classes.overview}>
        <section className={`panel ${classes.scroller}`} aria-label="Prompts, request by request">
          <TokenChart columns={columns} lines={lines} height={280} selected={request} onPick={goTo} />
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

/** Compares by content, because indexes are only valid within a view. */
function missingIn(
  others: readonly ViewMessage[],
  otherContext: readonly number[],
  messages: readonly ViewMessage[],
  context: readonly number[],
): ReadonlySet<number> {
  const known = new Set(otherContext.map((index) => contentKey(others[index])))
  return new Set(context.filter((index) => !known.has(contentKey(messages[index]))))
}

function contentKey(message: ViewMessage | undefined): string {
  if (!message) return ''
  const { role, kind, text, calls, callId, attachments } = message
  return JSON.stringify([role, kind, text, calls, callId, attachments])
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
        <i className="swatch" style={{ background: sideColor(side === 'left' ? 0 : 1) }} />
        <PlainText text={view.engine} />
        <span className="amount">
          {made
            ? `${formatAmount(context.length, 'message')}, ${formatAmount(promptTokens(made), 'token')}; only here: ${formatCount(only.size)}`
            : `has no request ${formatCount(request + 1)}`}
        </span>
      </h2>
      <p className={classes.meaning}>
        {engineMeaning(view.engine)}
        <span data-testid="writer">
          <PlainText text={`Summaries: ${view.summaries ?? 'their writer is not known'}`} />
        </span>
      </p>
      <VirtualList
        items={items}
        keyOf={keyOf}
        estimate={(index) => estimateHeight(view.messages[index])}
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
