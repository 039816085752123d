import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { SessionView, ViewSummaryNode } from '../../../../src/view/session-view.ts'
import { type PlacedMessage, transcriptOf } from '../../data/transcript-rows.ts'
import { formatAmount } from '../../format.ts'
import { changeRoute, type ViewProps } from '../../route.ts'
import { Notice } from '../../shell/notice.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { countMatches, searchPattern, useMessageSearch } from '../../ui/use-message-search.ts'
import { useNarrow } from '../../ui/use-narrow.ts'
import { EngineOffer } from '../engine-offer.tsx'
import classes from './summaries.module.css'
import { indexSummaries, type SummaryIndex } from './summary-index.ts'
import { SummaryPanel } from './summary-panel.tsx'
import { SummaryButton, SummaryTree } from './summary-tree.tsx'

export function SummariesView(props: ViewProps) {
  const { view } = props
  if (view.summaryNodes.length > 0) return <Summaries {...props} />
  return (
    <Notice title="No summaries" message={whyEmpty(view)}>
      <EngineOffer {...props} engine="lcm" has={({ summaryNodes }) => summaryNodes.length > 0} />
    </Notice>
  )
}

function whyEmpty(view: SessionView): string {
  if (view.compactions.length === 0) {
    return 'The context was never compacted: every message is in it as it was said.'
  }
  return `The context was compacted, but the engine ${view.engine} keeps no summaries that can be shown.`
}

const HEIGHT = 'max(380px, calc(100dvh - 190px))'

function Summaries({ view, route, go }: ViewProps) {
  const { summaryNodes, messages } = view
  const index = useMemo(() => indexSummaries(summaryNodes), [summaryNodes])
  const transcript = useMemo(() => transcriptOf(messages), [messages])
  const query = useDeferredValue(route.query ?? '')
  const pattern = useMemo(() => searchPattern(query), [query])
  const texts = useMemo(() => transcript.map(({ message }) => message), [transcript])
  const { counts } = useMessageSearch(texts, pattern)
  const hits = useMemo(
    () => searchSummaries(summaryNodes, transcript, counts, pattern),
    [summaryNodes, transcript, counts, pattern],
  )
  const isNarrow = useNarrow('860px')
  const node = index.byId.get(route.node ?? '') ?? index.roots.find((root) => root.isShown) ?? index.roots[0]
  const selected = node?.id ?? null
  const [open, toggle] = useOpenSummaries(index, selected)
  const onSelect = useCallback((id: string) => go(changeRoute(route, { node: id })), [go, route])
  const onMessage = useCallback((message: number) => go({ page: 'transcript', message }), [go])
  const shown = summaryNodes.filter(({ isShown }) => isShown).length
  return (
    <section aria-label="Summaries">
      <div className="tool-bar">
        <SearchBox
          query={route.query ?? ''}
          onChange={(next) => go(changeRoute(route, { query: next || undefined }))}
          placeholder="Search summaries and their messages"
          found={pattern === null ? '' : describeHits(hits.length, counts.size)}
        />
        <span className="amount">
          {formatAmount(summaryNodes.length, 'summary', 'summaries')}, {shown} in the context
        </span>
        {route.node !== undefined && !index.byId.has(route.node) && (
          <span role="status">This session has no such summary.</span>
        )}
      </div>
      <div className={classes.panes}>
        <nav
          className={classes.treePane}
          style={{ maxHeight: isNarrow ? 380 : HEIGHT }}
          aria-label={pattern === null ? 'Summaries' : 'Found'}
        >
          {pattern === null ? (
            <SummaryTree
              nodes={index.roots}
              index={index}
              selected={selected}
              open={open}
              onSelect={onSelect}
              onToggle={toggle}
            />
          ) : (
            hits.map((hit) => (
              <SummaryButton
                key={hit.node.id}
                node={hit.node}
                isSelected={hit.node.id === selected}
                onSelect={onSelect}
                found={describeHit(hit)}
              />
            ))
          )}
        </nav>
        {node !== undefined && (
          <SummaryPanel
            node={node}
            index={index}
            transcript={transcript}
            pattern={pattern}
            height={isNarrow ? 560 : HEIGHT}
            onSelect={onSelect}
            onMessage={onMessage}
          />
        )}
      </div>
    </section>
  )
}

/** A session with more summaries than this shows its roots at first. */
const OPEN_ALL = 40

/** The summaries whose parts are shown, and how to open or close one. Those above the selected one are open. */
function useOpenSummaries(
  index: SummaryIndex,
  selected: string | null,
): readonly [ReadonlySet<string>, (id: string) => void] {
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(index.byId.size <= OPEN_ALL ? index.byId.keys() : []),
  )
  const toggle = useCallback((id: string) => {
    setOpen((was) => {
      const next = new Set(was)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])
  useEffect(() => {
    if (selected === null) return
    const above = index.ancestorsOf(selected)
    setOpen((was) => ([...above].every((id) => was.has(id)) ? was : new Set([...was, ...above])))
  }, [index, selected])
  return [open, toggle]
}

interface SummaryHit {
  readonly node: ViewSummaryNode
  /** Matches in its text, and messages below it that have one. */
  readonly inText: number
  readonly below: number
}

/** The summaries with a match in their text or below, leaves first. `counts`: position in the transcript → matches. */
function searchSummaries(
  nodes: readonly ViewSummaryNode[],
  messages: readonly PlacedMessage[],
  counts: ReadonlyMap<number, number>,
  pattern: RegExp | null,
): readonly SummaryHit[] {
  if (pattern === null) return []
  const places = [...counts.keys()].flatMap((position) => messages[position]?.message.seq ?? [])
  return nodes
    .map((node) => ({
      node,
      inText: countMatches(node.text, pattern),
      // After its messages were taken back, others are at a summary's places.
      below: node.isReplaced ? 0 : places.filter((seq) => node.first <= seq && seq <= node.last).length,
    }))
    .filter(({ inText, below }) => inText + below > 0)
    .sort((a, b) => a.node.depth - b.node.depth || a.node.first - b.node.first)
}

const describeHit = ({ inText, below }: SummaryHit): string =>
  [
    inText > 0 && formatAmount(inText, 'match', 'matches'),
    below > 0 && `${formatAmount(below, 'message')} below`,
  ]
    .filter((part) => part !== false)
    .join(', ')

function describeHits(summaries: number, messages: number): string {
  if (summaries === 0 && messages === 0) return 'No match'
  return `${formatAmount(summaries, 'summary', 'summaries')}, ${formatAmount(messages, 'message')}`
}
