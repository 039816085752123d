import { SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { SessionView, ViewSummaryNode } from '../../../../src/view/session-view.ts'
import { type PlacedMessage, transcriptOf } from '../../data/transcript-rows.ts'
import { formatAmount } from '../../format.ts'
import { changeRoute, type ViewProps } from '../../route.ts'
import { Notice } from '../../shell/notice.tsx'
import { TextButton } from '../../ui/buttons.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import {
  countMatches,
  type SearchTerms,
  searchPattern,
  termsOf,
  termsRoute,
  useMessageSearch,
} from '../../ui/use-message-search.ts'
import { useRemainingHeight } from '../../ui/virtual-list.tsx'
import { EngineOffer } from '../engine-offer.tsx'
import details from './details.module.css'
import classes from './summaries.module.css'
import { SummaryGraph } from './summary-graph.tsx'
import { indexSummaries, rangeOf, type SummaryIndex } from './summary-index.ts'
import { SummaryPanel } from './summary-panel.tsx'
import { SummaryTree } from './summary-tree.tsx'

export function SummariesView(props: ViewProps) {
  const { view } = props
  if (view.summaryNodes.length === 0) {
    return (
      <Notice title="No summaries" message={whyEmpty(view)}>
        <EngineOffer {...props} engine="lcm" has={({ summaryNodes }) => summaryNodes.length > 0} />
      </Notice>
    )
  }
  return <Summaries {...props} />
}

function Summaries({ view, route, go }: ViewProps) {
  const index = useMemo(() => indexSummaries(view.summaryNodes), [view.summaryNodes])
  const transcript = useMemo(() => transcriptOf(view.messages), [view.messages])
  const terms = useMemo(() => termsOf(route), [route])
  const { searched, isSearching, found, results, hits } = useSummarySearch(view, transcript, terms)
  const isNarrow = useMediaQuery('(max-width: 860px)', undefined, { getInitialValueInEffect: false }) ?? false
  const [shape, setShape] = useState<string | null>(null)
  const isGraph = (shape ?? (isNarrow ? 'tree' : 'graph')) === 'graph'
  const node = index.byId.get(route.node ?? '') ?? index.roots.find((root) => root.isShown) ?? index.roots[0]
  const selected = node?.id ?? null
  const { open, setOpen, toggle } = useOpenSummaries(index, selected)
  const [ref, height] = useRemainingHeight(380)
  const onSelect = useCallback((id: string) => go(changeRoute(route, { node: id })), [go, route])
  const onMessage = useCallback((message: number) => go({ page: 'transcript', message }), [go])
  const shown = view.summaryNodes.filter(({ isShown }) => isShown).length
  return (
    <section aria-label="Summaries">
      <div className={`tool-bar ${classes.bar}`}>
        <SearchBox
          terms={terms}
          onChange={(next) => go(changeRoute(route, termsRoute(next)))}
          placeholder="Search summaries and their messages"
          found={isSearching ? describeResults(results.length, found.counts.size) : ''}
        />
        <SegmentedControl
          size="xs"
          aria-label="Show as"
          data={[
            { value: 'graph', label: 'Graph' },
            { value: 'tree', label: 'Tree' },
          ]}
          value={isGraph ? 'graph' : 'tree'}
          onChange={setShape}
        />
        <span className="amount">
          {formatAmount(view.summaryNodes.length, 'summary', 'summaries')}, {shown} in the context
        </span>
        {route.node !== undefined && !index.byId.has(route.node) && (
          <span role="status">This session has no such summary.</span>
        )}
      </div>
      <SummaryResults results={results} onSelect={onSelect} />
      <div ref={ref} className={classes.panes}>
        {isGraph ? (
          <SummaryGraph
            index={index}
            height={isNarrow ? 380 : height}
            selected={selected}
            open={open}
            hits={hits}
            onSelect={onSelect}
            onToggle={toggle}
          />
        ) : (
          <div className={classes.treePane} style={{ maxHeight: isNarrow ? 380 : height }}>
            <SummaryTree
              index={index}
              selected={selected}
              open={open}
              hits={hits}
              onSelect={onSelect}
              onOpen={setOpen}
            />
          </div>
        )}
        {node !== undefined && (
          <SummaryPanel
            node={node}
            index={index}
            transcript={transcript}
            terms={searched}
            height={isNarrow ? 560 : height}
            onSelect={onSelect}
            onMessage={onMessage}
          />
        )}
      </div>
    </section>
  )
}

function useSummarySearch(view: SessionView, transcript: readonly PlacedMessage[], terms: SearchTerms) {
  const texts = useMemo(() => transcript.map(({ message }) => message), [transcript])
  const searched = useDeferredValue(terms)
  const found = useMessageSearch(texts, searched)
  const results = useMemo(
    () => searchSummaries(view.summaryNodes, transcript, found.counts, searched),
    [view.summaryNodes, transcript, found.counts, searched],
  )
  const isSearching = searched.query.trim() !== ''
  const hits = useMemo(
    () => (isSearching ? new Map(results.map(({ node, inText, below }) => [node.id, inText + below])) : null),
    [isSearching, results],
  )
  return { searched, isSearching, found, results, hits }
}

function describeResults(summaries: number, messages: number): string {
  if (summaries === 0 && messages === 0) return 'No match'
  return `${formatAmount(summaries, 'summary', 'summaries')}, ${formatAmount(messages, 'message')}`
}

function whyEmpty(view: SessionView): string {
  if (view.compactions.length === 0) {
    return 'The context was never compacted: every message stands in it as it was said.'
  }
  return `The context was compacted, but the engine ${view.engine} keeps no summaries that can be shown.`
}

const shown = 40

interface SummaryResultsProps {
  readonly results: readonly SummaryHit[]
  readonly onSelect: (id: string) => void
}

function SummaryResults({ results, onSelect }: SummaryResultsProps) {
  if (results.length === 0) return null
  return (
    <ul className={details.results} aria-label="Found">
      {results.slice(0, shown).map(({ node, inText, below }) => (
        <li key={node.id}>
          <TextButton className={details.result} onClick={() => onSelect(node.id)}>
            <strong>{rangeOf(node)}</strong>
            {inText > 0 && <span>{formatAmount(inText, 'match', 'matches')} in the summary</span>}
            {below > 0 && <span>{formatAmount(below, 'message')} below</span>}
          </TextButton>
        </li>
      ))}
      {results.length > shown && <li className={details.more}>and {results.length - shown} more</li>}
    </ul>
  )
}

const openAll = 40

interface OpenSummaries {
  readonly open: ReadonlySet<string>
  readonly setOpen: (open: ReadonlySet<string>) => void
  readonly toggle: (id: string) => void
}

function useOpenSummaries(index: SummaryIndex, selected: string | null): OpenSummaries {
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(index.byId.size <= openAll ? index.byId.keys() : []),
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
  return { open, setOpen, toggle }
}

interface SummaryHit {
  readonly node: ViewSummaryNode
  readonly inText: number
  readonly below: number
}

/** The summaries with a match in their text or below, leaves first. `counts`: position in the transcript → matches. */
function searchSummaries(
  nodes: readonly ViewSummaryNode[],
  messages: readonly PlacedMessage[],
  counts: ReadonlyMap<number, number>,
  terms: SearchTerms,
): readonly SummaryHit[] {
  const pattern = searchPattern(terms)
  if (pattern === null) return []
  const places = [...counts.keys()].flatMap((position) => messages[position]?.message.seq ?? [])
  return nodes
    .map((node) => ({
      node,
      inText: countMatches(node.text, pattern),
      // After its messages were taken back, others stand at a summary's places.
      below: node.isReplaced ? 0 : places.filter((seq) => node.first <= seq && seq <= node.last).length,
    }))
    .filter(({ inText, below }) => inText + below > 0)
    .sort((a, b) => a.node.depth - b.node.depth || a.node.first - b.node.first)
}
