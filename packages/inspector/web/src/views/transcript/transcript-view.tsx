import { Switch } from '@mantine/core'
import { useCallback, useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import {
  filterRows,
  foldCalls,
  indexOfSeq,
  itemOf,
  messagesIn,
  type TranscriptItem,
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
import { CallsLine } from './calls-line.tsx'
import { Outline } from './outline.tsx'
import classes from './transcript.module.css'
import { TranscriptFilters } from './transcript-filters.tsx'
import { createMessagePlace, TranscriptRowView } from './transcript-row.tsx'

const keyOf = (item: TranscriptItem) => item.key
const CALLS = 36
const estimateItem = (item: TranscriptItem) =>
  item.type === 'calls'
    ? CALLS
    : messagesIn(item.row).reduce((sum, { message }) => sum + estimateHeight(message), 0)

const NONE: ReadonlySet<string> = new Set()

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
  // A filter shows calls, so they are not folded.
  const isFiltered = rows !== all
  const [isFolding, setFolding] = useState(true)
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const itemsOf = useCallback(
    (among: typeof rows, open: ReadonlySet<string>) =>
      isFolding && among === all ? foldCalls(among, open) : among.map((row) => itemOf(row)),
    [all, isFolding],
  )
  const items = useMemo(() => itemsOf(rows, opened), [itemsOf, rows, opened])
  const shown = useMemo(() => rows.flatMap(messagesIn), [rows])
  const texts = useMemo(() => shown.map(({ message }) => message), [shown])
  const hits = useMessageSearch(texts, pattern)
  const found = useMemo(
    () => new Map([...hits.counts].map(([position, count]) => [shown[position]?.index ?? -1, count])),
    [hits, shown],
  )
  const place = useMemo(() => createMessagePlace(view), [view])
  const [current, setCurrent] = useState<number | null>(null)
  const [jump, setJump] = useState(() => (view.isLive ? { position: items.length - 1 } : null))
  const at = useMemo(() => shown.findIndex(({ index }) => index === current), [shown, current])
  const wanted = route.message === undefined ? undefined : indexOfSeq(messages, route.message)

  const show = (among: typeof rows, index: number) => {
    const row = among.find((each) => messagesIn(each).some((said) => said.index === index))
    const fold = itemsOf(among, NONE).find((item) => item.type === 'calls' && row && item.rows.includes(row))
    const open = fold === undefined ? opened : new Set([...opened, fold.key])
    setOpened(open)
    setCurrent(index)
    setJump({ position: itemsOf(among, open).findIndex((item) => item.type === 'row' && item.row === row) })
  }
  const follow = useEffectEvent((index: number) => {
    if (shown.some((said) => said.index === index)) return show(rows, index)
    // A message that a filter hides overrides the filter, because the address names it.
    go({ page: 'transcript', ...(route.message !== undefined && { message: route.message }) })
    show(all, index)
  })
  useEffect(() => {
    if (wanted !== undefined) follow(wanted)
  }, [wanted])

  const step = (by: 1 | -1, from = at) => {
    const next = nextPosition([...hits.counts.keys()], from, by)
    const said = next === undefined ? undefined : shown[next]
    if (said !== undefined) show(rows, said.index)
  }
  const begin = useEffectEvent(() => step(1, -1))
  // A message in the address comes before the first match.
  const sought = useRef(route.message === undefined ? null : pattern)
  useEffect(() => {
    if (pattern === null || !hits.isDone || sought.current === pattern) return
    sought.current = pattern
    begin()
  }, [pattern, hits])
  const change = (to: Parameters<typeof changeRoute>[1]) => go(changeRoute(route, to))
  const onNode = useCallback((node: string) => go({ page: 'summaries', node }), [go])
  const onPlace = (message: number) => {
    const index = indexOfSeq(messages, message)
    if (route.message === message && index !== undefined) follow(index)
    else change({ message })
  }
  const toggle = (key: string) =>
    setOpened((before) => {
      const after = new Set(before)
      if (!after.delete(key)) after.add(key)
      return after
    })
  return (
    <section aria-label="Transcript">
      <div className="tool-bar">
        <SearchBox
          query={route.query ?? ''}
          onChange={(next) => change({ query: next || undefined, message: undefined })}
          placeholder="Search the transcript"
          found={pattern === null ? '' : describeHits(hits, at)}
          onStep={step}
        />
        <Switch
          size="xs"
          label="Fold calls"
          checked={isFolding && !isFiltered}
          disabled={isFiltered}
          onChange={(event) => {
            setOpened(NONE)
            setFolding(event.currentTarget.checked)
          }}
        />
        <TranscriptFilters rows={all} route={route} onChange={change} />
        <span className="amount">{formatAmount(shown.length, 'message')}</span>
        {route.message !== undefined && wanted === undefined && (
          <span role="status">This session has no message #{formatCount(route.message + 1)}.</span>
        )}
      </div>
      <div className={classes.panes}>
        <Outline rows={all} hits={found} height={HEIGHT} current={current} onPlace={onPlace} />
        <VirtualList
          items={items}
          keyOf={keyOf}
          estimate={estimateItem}
          render={(item) =>
            item.type === 'calls' ? (
              <CallsLine
                rows={item.rows}
                isOpen={item.isOpen}
                hits={found}
                onToggle={() => toggle(item.key)}
              />
            ) : (
              <div className={item.isInside ? classes.inside : undefined}>
                <TranscriptRowView
                  row={item.row}
                  current={current}
                  pattern={pattern}
                  place={place}
                  onNode={onNode}
                  onPlace={onPlace}
                />
              </div>
            )
          }
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
  return `${where} · ${formatAmount(hits.total, 'match', 'matches')}${hits.isDone ? '' : ' …'}`
}
