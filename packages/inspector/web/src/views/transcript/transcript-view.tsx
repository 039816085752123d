import { useCallback, useDeferredValue, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { formatAmount, formatCount } from '../../format.ts'
import { Notice } from '../../shell/notice.tsx'
import { estimateHeight } from '../../ui/estimate-height.ts'
import type { PlacedMessage } from '../../ui/find-messages.ts'
import { SearchBox } from '../../ui/search-box.tsx'
import { type SearchHits, useMessageSearch } from '../../ui/use-message-search.ts'
import { useRemainingHeight } from '../../ui/use-remaining-height.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import type { ViewProps } from '../../view-props.ts'
import { createMessagePlace } from './message-place.ts'
import classes from './transcript.module.css'
import { filterMessages, type MessageFilter, rolesOf, TranscriptFilters } from './transcript-filters.tsx'
import { TranscriptRow } from './transcript-row.tsx'

const keyOf = (row: PlacedMessage) => row.index
const estimateRow = (row: PlacedMessage) => estimateHeight(row.message)

const everything: MessageFilter = { roles: [], withEngine: false }

export function TranscriptView(props: ViewProps) {
  if (props.view.messages.length > 0) return <Transcript {...props} />
  return (
    <Notice title="No messages yet" message="The conversation stands here as soon as something is said." />
  )
}

function Transcript({ view, route, go }: ViewProps) {
  const [terms, setTerms] = useState({ query: route.query ?? '', wholeWords: false })
  const searched = useDeferredValue(terms)
  const [filter, setFilter] = useState(everything)
  const rows = useMemo(() => filterMessages(view.messages, filter), [view.messages, filter])
  const texts = useMemo(() => rows.map(({ message }) => message), [rows])
  const hits = useMessageSearch(texts, searched)
  const place = useMemo(() => createMessagePlace(view), [view])
  const [current, setCurrent] = useState<number | null>(null)
  const [jump, setJump] = useState(() => (view.isLive ? { position: rows.length - 1 } : null))
  const roles = useMemo(() => rolesOf(view.messages), [view.messages])
  const at = useMemo(() => rows.findIndex(({ index }) => index === current), [rows, current])
  const [ref, height] = useRemainingHeight(360)

  const goTo = useCallback((position: number, index: number) => {
    setCurrent(index)
    setJump({ position })
  }, [])

  const follow = useEffectEvent((message: number) => {
    const target = view.messages[message]
    if (target === undefined) return
    const wanted = { roles: [], withEngine: target.seq === null || target.kind === 'shortened' }
    setFilter(wanted)
    const position = filterMessages(view.messages, wanted).findIndex(({ index }) => index === message)
    goTo(position, message)
  })
  useEffect(() => {
    if (route.message !== undefined) follow(route.message)
  }, [route.message])
  useEffect(() => {
    if (route.query !== undefined) setTerms({ query: route.query, wholeWords: false })
  }, [route.query])

  const step = (by: 1 | -1) => {
    const next = nextPosition([...hits.counts.keys()], at, by)
    const row = next === undefined ? undefined : rows[next]
    if (next !== undefined && row !== undefined) goTo(next, row.index)
  }
  const onNode = useCallback((node: string) => go({ page: 'summaries', node }), [go])

  const render = (row: PlacedMessage) => (
    <TranscriptRow
      row={row}
      isCurrent={row.index === current}
      terms={searched}
      place={place}
      onNode={onNode}
    />
  )
  return (
    <section aria-label="Transcript">
      <div className={`tool-bar ${classes.bar}`}>
        <SearchBox
          terms={terms}
          onChange={setTerms}
          placeholder="Search the transcript"
          found={searched.query.trim() === '' ? '' : describeHits(hits, at)}
          onStep={step}
        />
        <TranscriptFilters filter={filter} roles={roles} onChange={setFilter} />
        <span className={classes.amount}>{formatAmount(rows.length, 'message')}</span>
      </div>
      <div ref={ref}>
        <VirtualList
          items={rows}
          keyOf={keyOf}
          estimate={estimateRow}
          render={render}
          jump={jump}
          label="Messages"
          height={height}
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
