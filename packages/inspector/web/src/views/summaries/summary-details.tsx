import { useMemo } from 'react'
import type { ViewSummaryNode } from '../../../../src/view/session-view.ts'
import { CopyText } from '../../ui/copy-text.tsx'
import { formatAmount, formatCount } from '../../ui/format-count.ts'
import { formatTime } from '../../ui/format-time.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { type SearchTerms, searchPattern } from '../../ui/search-pattern.ts'
import { TextBlock } from '../../ui/text-block.tsx'
import { levelOf, rangeOf, sizeOf } from './describe-summary.ts'
import classes from './details.module.css'
import type { SummaryIndex } from './summary-index.ts'

interface SummaryDetailsProps {
  readonly node: ViewSummaryNode
  readonly index: SummaryIndex
  readonly terms: SearchTerms
  /** How many messages it stands for. */
  readonly messages: number
  readonly onSelect: (id: string) => void
}

/** A summary's text, who wrote it, what it saved, and the summaries above and below it. */
export function SummaryDetails({ node, index, terms, messages, onSelect }: SummaryDetailsProps) {
  const pattern = useMemo(() => searchPattern(terms), [terms])
  const times = node.tokens > 0 ? node.sourceTokens / node.tokens : 0
  return (
    <article className={classes.details} data-summary={node.id} aria-label={`Summary of ${rangeOf(node)}`}>
      <header className={classes.detailsHead}>
        <h2>{rangeOf(node)}</h2>
        <span>{levelOf(node)}</span>
        {node.isShown ? (
          <span className={classes.shown}>in the context</span>
        ) : (
          <span>not in the context now</span>
        )}
        {node.isReplaced && <span className={classes.replaced}>its messages were taken back</span>}
        <CopyText text={node.text} label="Copy the summary" />
      </header>
      <dl className={classes.facts}>
        <dt>Tokens</dt>
        <dd>
          {sizeOf(node)}
          {times >= 1.05 && ` (${times.toFixed(1)}× shorter)`}
        </dd>
        <dt>Written by</dt>
        <dd>
          <PlainText text={node.writer} />
        </dd>
        {node.at !== null && (
          <>
            <dt>At</dt>
            <dd>{formatTime(node.at)}</dd>
          </>
        )}
      </dl>
      <TextBlock text={node.text} pattern={pattern} isOpen />
      <Links title="Stands in" nodes={index.parentsOf(node)} onSelect={onSelect} />
      <Links title="Made from" nodes={index.childrenOf(node)} onSelect={onSelect} />
      <h3 className={classes.subtitle}>{describeOriginals(node, messages)}</h3>
    </article>
  )
}

function describeOriginals(node: ViewSummaryNode, messages: number): string {
  if (node.isReplaced)
    return 'What stands at these places now; the messages that it was made from were taken back'
  const all = node.last - node.first + 1
  const missing = messages < all ? ` (${formatCount(all - messages)} are not in this view)` : ''
  return `The original ${formatAmount(messages, 'message')}, byte for byte${missing}`
}

interface LinksProps {
  readonly title: string
  readonly nodes: readonly ViewSummaryNode[]
  readonly onSelect: (id: string) => void
}

function Links({ title, nodes, onSelect }: LinksProps) {
  if (nodes.length === 0) return null
  return (
    <p className={classes.links}>
      {title}{' '}
      {nodes.map((node) => (
        <button key={node.id} type="button" className={classes.link} onClick={() => onSelect(node.id)}>
          {rangeOf(node)}
        </button>
      ))}
    </p>
  )
}
