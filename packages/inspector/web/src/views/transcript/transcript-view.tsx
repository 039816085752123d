import { useCallback, useDeferredValue, useEffect, useEffectEvent, useMemo, useState } from 'react'
import {
  filterRows,
  indexOfSeq,
  messagesIn,
  type TranscriptRow,
  transcriptOf,
  transcriptRows,
} from '../../data/transcript-rows.ts'
import { formatAmount, formatCount } from '../../format.ts'
import { changeRoute, type ViewProps } from '../../route.ts'
import { Notice } from '../../shell/notice.tsx'
import { estimateHeight } from '../../ui/message-card.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { type SearchHits, searchPattern, useMessageSearch } from '../../ui/use-message-search.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { Outline } from './outline.tsx'
import classes from './transcript.module.css'
import { TranscriptFilters } from './transcript-filters.tsx'
import { createMessagePlace, TranscriptRowView } from './transcript-row.tsx'

const keyOf = (row: TranscriptRow) => row.index
const estimateRow = (row: TranscriptRow) =>
  messagesIn(row).reduce((sum, { message }) => sum + estimateHeight(message), 0)

const HEIGHT = 'max(360px, calc(100dvh - 190px))'

export function TranscriptView(props: ViewProps) {
  if (props.view.messages.length > 0) return <Transcript {...props} />
  return (
    <Notice title="No messages yet" message="The conversation stands here as soon as something is said." />
  )
}

function Transcript({ view, route, go }: ViewProps) {
  const { messages } = view
  const query = useDeferredValue(route.query ?? '')
  const pattern = useMemo(() => searchPattern(query), [query])
  const all = useMemo(() => transcriptRows(transcriptOf(messages)), [messages])
  const { tool } = route
  const onlyFailed = route.only === 'failed'
  const rows = useMemo(() => filterRows(all, { tool, onlyFailed }), [all, tool, onlyFailed])
  const shown = useMemo(
    () => rows.flatMap((row, position) => messagesIn(row).map((said) => ({ ...said, position }))),
    [rows],
  )
  const texts = useMemo(() => shown.map(({ message }) => message), [shown])
  const hits = useMessageSearch(texts, pattern)
  const place = useMemo(() => createMessagePlace(view), [view])
  const [current, setCurrent] = useState<number | null>(null)
  const [jump, setJump] = useState(() => (view.isLive ? { position: rows.length - 1 } : null))
  const at = useMemo(() => shown.findIndex(({ index }) => index === current), [shown, current])
  const wanted = route.message === undefined ? undefined : indexOfSeq(messages, route.message)

  const follow = useEffectEvent((index: number) => {
    setCurrent(index)
    const found = shown.find((said) => said.index === index)
    if (found !== undefined) return setJump({ position: found.position })
    // A message that a filter hides overrides the filter, because the address names it.
    go({ page: 'transcript', ...(route.message !== undefined && { message: route.message }) })
    setJump({ position: all.findIndex((row) => messagesIn(row).some((said) => said.index === index)) })
  })
  useEffect(() => {
    if (wanted !== undefined) follow(wanted)
  }, [wanted])

  const step = (by: 1 | -1) => {
    const next = nextPosition([...hits.counts.keys()], at, by)
    const said = next === undefined ? undefined : shown[next]
    if (said === undefined) return
    setCurrent(said.index)
    setJump({ position: said.position })
  }
  const change = (to: Parameters<typeof changeRoute>[1]) => go(changeRoute(route, to))
  const onNode = useCallback((node: string) => go({ page: 'summaries', node }), [go])
  const onPlace = (message: number) => {
    const index = indexOfSeq(messages, message)
    if (route.message === message && index !== undefined) follow(index)
    else change({ message })
  }
  return (
    <section aria-label="Transcript">
      <div className="tool-bar">
        <SearchBox
          query={route.query ?? ''}
          onChange={(next) => change({ query: next || undefined })}
          placeholder="Search the transcript"
          found={pattern === null ? '' : describeHits(hits, at)}
          onStep={step}
        />
        <TranscriptFilters rows={all} route={route} onChange={change} />
        <span className="amount">{formatAmount(shown.length, 'message')}</span>
        {route.message !== undefined && wanted === undefined && (
          <span role="status">This session has no message #{formatCount(route.message + 1)}.</span>
        )}
      </div>
      <div className={classes.panes}>
        <Outline rows={all} height={HEIGHT} current={current} onPlace={onPlace} />
        <VirtualList
          items={rows}
          keyOf={keyOf}
          estimate={estimateRow}
          render={(row) => (
            <TranscriptRowView
              row={row}
              current={current}
              pattern={pattern}
              place={place}
              onNode={onNode}
              onPlace={onPlace}
            />
          )}
          jump={jump}
          label="Messages"
          height={HEIGHT}
          followsEnd={view.isLive}
        />
      </div>
    </section>
  )
}

function nextPosition(positions: readonly number[], at: number, by: 1 | -1): number | undefined {
  return by === 1
    ? (positions.find((position) => position > at) ?? positions[0])
    : (positions.findLast((position) => position < at) ?? positions.at(-1))
}

function describeHits(hits: SearchHits, at: number): string {
  if (hits.total === 0) return hits.isDone ? 'No match' : 'Searching…'
  const place = [...hits.counts.keys()].indexOf(at)
  const messages = formatAmount(hits.counts.size, 'message')
  const where = place === -1 ? messages : `${formatCount(place + 1)} of ${messages}`
  return `${formatAmount(hits.total, 'match', 'matches')} · ${where}${hits.isDone ? '' : ' …'}`
}
