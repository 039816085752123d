import { SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { SessionView } from '../../../../src/view/session-view.ts'
import { Notice } from '../../shell/notice.tsx'
import { transcriptOf } from '../../ui/find-messages.ts'
import { formatAmount } from '../../ui/format-count.ts'
import { SearchBox } from '../../ui/search-box.tsx'
import { useMessageSearch } from '../../ui/use-message-search.ts'
import { useRemainingHeight } from '../../ui/use-remaining-height.ts'
import type { ViewProps } from '../../view-props.ts'
import { searchSummaries } from './search-summaries.ts'
import classes from './summaries.module.css'
import { SummaryGraph } from './summary-graph.tsx'
import { indexSummaries } from './summary-index.ts'
import { SummaryPanel } from './summary-panel.tsx'
import { SummaryResults } from './summary-results.tsx'
import { SummaryTree } from './summary-tree.tsx'
import { useOpenSummaries } from './use-open-summaries.ts'

/** The summaries, from what stands in the context down to the original messages. */
export function SummariesView(props: ViewProps) {
  const { view } = props
  if (view.summaryNodes.length === 0) {
    return <Notice title="No summaries" message={whyEmpty(view)} />
  }
  return <Summaries {...props} />
}

function Summaries({ view, route, go }: ViewProps) {
  const index = useMemo(() => indexSummaries(view.summaryNodes), [view.summaryNodes])
  const transcript = useMemo(() => transcriptOf(view.messages), [view.messages])
  const texts = useMemo(() => transcript.map(({ message }) => message), [transcript])
  const [terms, setTerms] = useState({ query: route.query ?? '', wholeWords: false })
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
  const isNarrow = useMediaQuery('(max-width: 860px)', undefined, { getInitialValueInEffect: false }) ?? false
  const [shape, setShape] = useState<string | null>(null)
  const isGraph = (shape ?? (isNarrow ? 'tree' : 'graph')) === 'graph'
  const node = index.byId.get(route.node ?? '') ?? index.roots.find((root) => root.isShown) ?? index.roots[0]
  const selected = node?.id ?? null
  const { open, setOpen, toggle } = useOpenSummaries(index, selected)
  const [ref, height] = useRemainingHeight(380)
  const onSelect = useCallback((id: string) => go({ page: 'summaries', node: id }), [go])
  const onMessage = useCallback((message: number) => go({ page: 'transcript', message }), [go])
  const shown = view.summaryNodes.filter(({ isShown }) => isShown).length
  return (
    <section aria-label="Summaries">
      <div className={classes.bar}>
        <SearchBox
          terms={terms}
          onChange={setTerms}
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
        <span className={classes.amount}>
          {formatAmount(view.summaryNodes.length, 'summary', 'summaries')}, {shown} in the context
        </span>
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
