import { useCallback, useDeferredValue, useMemo } from 'react'
import type { SessionView, ViewSummaryNode } from '../../../../src/view/session-view.ts'
import { transcriptOf } from '../../data/transcript-rows.ts'
import { formatAmount } from '../../format.ts'
import { changeRoute, type ViewProps } from '../../route.ts'
import { Notice } from '../../shell/notice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { isFound, searchPattern, useMessageSearch } from '../../ui/use-message-search.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { AsWrittenSwitch } from '../as-written-switch.tsx'
import { EngineOffer } from '../engine-offer.tsx'
import classes from './summaries.module.css'
import { indexSummaries, levelOf, previewOf, rangeOf, type SummaryRow, sizeOf } from './summary-index.ts'
import { SummaryPanel } from './summary-panel.tsx'

export function SummariesView(props: ViewProps) {
  const { view } = props
  if (view.summaryNodes.length > 0) return <Summaries {...props} />
  return (
    <Notice title="No summaries" message={whyEmpty(view)}>
      <EngineOffer {...props} options="--engine lcm" has={({ summaryNodes }) => summaryNodes.length > 0} />
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
const INDENT = 18

const keyOf = ({ node }: SummaryRow) => node.id

function Summaries({ view, route, go }: ViewProps) {
  const { summaryNodes, messages } = view
  const index = useMemo(() => indexSummaries(summaryNodes), [summaryNodes])
  const transcript = useMemo(() => transcriptOf(messages), [messages])
  const query = useDeferredValue(route.query ?? '')
  const pattern = useMemo(() => searchPattern(query), [query])
  const texts = useMemo(() => transcript.map(({ message }) => message), [transcript])
  const { counts } = useMessageSearch(texts, pattern)
  const rows = useMemo(() => {
    if (pattern === null) return index.rows
    const places = [...counts.keys()].flatMap((position) => texts[position]?.seq ?? [])
    return index.rows.filter(({ node }) => isFound(node.text, pattern) || covers(node, places))
  }, [index, texts, counts, pattern])
  const node = index.byId.get(route.node ?? '') ?? index.rows.find((row) => row.node.isShown)?.node
  const selected = (node ?? index.rows[0]?.node)?.id
  const jump = useMemo(
    () => ({ position: rows.findIndex((row) => row.node.id === selected), align: 'auto' as const }),
    [rows, selected],
  )
  const onSelect = useCallback((id: string) => go(changeRoute(route, { node: id })), [go, route])
  const onMessage = useCallback((message: number) => go({ page: 'transcript', message }), [go])
  const shown = summaryNodes.filter(({ isShown }) => isShown).length
  const current = index.byId.get(selected ?? '')
  return (
    <section aria-label="Summaries">
      <div className="tool-bar">
        <SearchBox
          query={route.query ?? ''}
          onChange={(next) => go(changeRoute(route, { query: next || undefined }))}
          placeholder="Search summaries and their messages"
          found={pattern === null ? '' : formatAmount(rows.length, 'summary', 'summaries')}
        />
        <AsWrittenSwitch route={route} onChange={(as) => go(changeRoute(route, as))} />
        <span className="amount">
          {formatAmount(summaryNodes.length, 'summary', 'summaries')}, {shown} in the context
        </span>
        {route.node !== undefined && !index.byId.has(route.node) && (
          <span role="status">This session has no such summary.</span>
        )}
      </div>
      <div className={classes.panes}>
        <VirtualList
          items={rows}
          keyOf={keyOf}
          estimate={() => 46}
          jump={jump}
          label={pattern === null ? 'Tree of summaries' : 'Found'}
          height={HEIGHT}
          render={({ node, level }) => (
            <SummaryButton
              node={node}
              indent={pattern === null ? level * INDENT : 0}
              isSelected={node.id === selected}
              onSelect={onSelect}
            />
          )}
        />
        {current !== undefined && (
          <SummaryPanel
            node={current}
            transcript={transcript}
            pattern={pattern}
            height={HEIGHT}
            onMessage={onMessage}
          />
        )}
      </div>
    </section>
  )
}

/** A leaf made from a message at one of these places. After messages were removed, others have its places. */
const covers = ({ depth, isReplaced, first, last }: ViewSummaryNode, places: readonly number[]): boolean =>
  depth === 0 && !isReplaced && places.some((seq) => first <= seq && seq <= last)

interface SummaryButtonProps {
  readonly node: ViewSummaryNode
  readonly indent: number
  readonly isSelected: boolean
  readonly onSelect: (id: string) => void
}

function SummaryButton({ node, indent, isSelected, onSelect }: SummaryButtonProps) {
  return (
    <button
      type="button"
      className={`list-button ${classes.node}`}
      style={{ marginInlineStart: indent, width: `calc(100% - ${indent}px)` }}
      aria-pressed={isSelected}
      data-node={node.id}
      data-shown={node.isShown || undefined}
      onClick={() => onSelect(node.id)}
    >
      <span className={classes.nodeHead}>
        <strong>{rangeOf(node)}</strong>
        <span>{levelOf(node)}</span>
        {node.isShown && <span className={classes.shown}>in the context</span>}
        <span className="quiet">{sizeOf(node)} tokens</span>
      </span>
      <span className="clipped quiet" data-preview="">
        <PlainText text={previewOf(node.text)} />
      </span>
    </button>
  )
}
