import { SegmentedControl, Stack } from '@mantine/core'
import { useDeferredValue, useMemo, useState } from 'react'
import type { SessionView } from '../../../../src/view/session-view.ts'
import {
  type ContextLine,
  type ContextRow,
  contextAt,
  contextChange,
  contextRows,
  countChanges,
} from '../../data/contexts.ts'
import { answerTo } from '../../data/transcript-rows.ts'
import { describeCompaction, formatAmount, formatCount, formatDuration, formatUsd } from '../../format.ts'
import { changeRoute, type ViewProps } from '../../route.ts'
import { Notice } from '../../shell/notice.tsx'
import { estimateHeight, MessageCard } from '../../ui/message-card.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { AsWrittenSwitch } from '../as-written-switch.tsx'
import { KindTotals, RequestPicker } from '../requests.tsx'
import classes from './context.module.css'
import { ContextRowView, estimateRow } from './context-row.tsx'

const keyOf = (row: ContextRow) => row.key

const HEIGHT = 'max(320px, calc(100dvh - 280px))'

export function ContextView({ view, route, go }: ViewProps) {
  const { messages, requests } = view
  const last = requests.length - 1
  const request = Math.min(route.request ?? last, last)
  const shown = useDeferredValue(request)
  const lines = useMemo(
    () => contextChange(contextAt(requests, shown - 1), contextAt(requests, shown), messages),
    [requests, shown, messages],
  )
  const [mode, setMode] = useState<'all' | 'changes'>('all')
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => contextRows(lines, mode === 'changes', open), [lines, mode, open])
  const isCompacted = view.compactions.some((made) => made.request === shown)

  const current = requests[request]
  if (!current)
    return <Notice title="No request yet" message="There is a context from the first request on." />
  const goTo = (to: number) => go(changeRoute(route, { request: to }))
  const toggle = (key: string) =>
    setOpen((before) => {
      const after = new Set(before)
      if (!after.delete(key)) after.add(key)
      return after
    })
  return (
    <Stack component="section" gap={8} aria-label={`Context of request ${request + 1}`}>
      <div className="tool-bar">
        <RequestPicker request={request} count={requests.length} onChange={goTo} />
        <SegmentedControl
          size="xs"
          aria-label="What is shown"
          value={mode}
          onChange={setMode}
          data={[
            { value: 'all', label: 'All' },
            { value: 'changes', label: 'Changes' },
          ]}
        />
        <AsWrittenSwitch route={route} onChange={(as) => go(changeRoute(route, as))} />
      </div>
      <KindTotals request={current} window={view.window} />
      <ChangeSummary view={view} request={shown} lines={lines} />
      <div className={classes.panes}>
        <div data-testid="context-list" data-request={shown + 1}>
          <VirtualList
            items={rows}
            keyOf={keyOf}
            estimate={(row) => estimateRow(row, messages)}
            render={(row) => (
              <ContextRowView
                row={row}
                messages={messages}
                isFirst={shown === 0}
                isCompacted={isCompacted}
                onToggle={toggle}
              />
            )}
            label="Messages of this context"
            height={HEIGHT}
          />
        </div>
        <Answer view={view} request={shown} />
      </div>
    </Stack>
  )
}

function Answer({ view, request }: Pick<ChangeSummaryProps, 'view' | 'request'>) {
  const answer = useMemo(() => answerTo(view, request), [view, request])
  const usd = view.requests[request]?.cache?.usd ?? null
  const facts = [
    answer?.took !== undefined && `after ${formatDuration(answer.took)}`,
    usd !== null && `the prompt for ${formatUsd(usd)}`,
  ].filter((fact) => fact !== false)
  return (
    <section aria-label={`Answer to request ${formatCount(request + 1)}`} data-testid="answer">
      <h2 className={classes.answerHead}>
        The answer <span className="quiet">{facts.join(', ')}</span>
      </h2>
      {answer === undefined ? (
        <p className="quiet">No answer is recorded.</p>
      ) : (
        <VirtualList
          items={[answer]}
          keyOf={answerKey}
          estimate={({ message }) => estimateHeight(message)}
          render={({ index, message }) => <MessageCard message={message} index={index} />}
          label="The model's answer"
          height={HEIGHT}
        />
      )}
    </section>
  )
}

const answerKey = ({ index }: { readonly index: number }) => index

interface ChangeSummaryProps {
  readonly view: SessionView
  readonly request: number
  readonly lines: readonly ContextLine[]
}

function ChangeSummary({ view, request, lines }: ChangeSummaryProps) {
  const counts = useMemo(() => countChanges(lines, view.messages), [lines, view.messages])
  const compactions = view.compactions.filter((made) => made.request === request)
  const { kept, added, changed, removed, addedTokens, removedTokens } = counts
  const changes = [
    added > 0 && `${formatCount(added)} new`,
    changed > 0 && `${formatCount(changed)} changed`,
    removed > 0 && `${formatCount(removed)} gone`,
    `${formatCount(kept)} as before`,
  ].filter((part) => part !== false)
  return (
    <div className={classes.summary} data-testid="context-changes">
      {request === 0 ? (
        <span>{formatAmount(added, 'message')} at the first request</span>
      ) : (
        <span>
          Since request {formatCount(request)}: {changes.join(', ')}
          <span className="quiet">
            {' '}
            (+{formatCount(addedTokens)} −{formatAmount(removedTokens, 'token')})
          </span>
        </span>
      )}
      {compactions.map((compaction, place) => (
        <span key={place} className={classes.compaction}>
          <PlainText text={describeCompaction(compaction)} />
        </span>
      ))}
    </div>
  )
}
