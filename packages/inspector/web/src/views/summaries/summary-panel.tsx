import { useMemo } from 'react'
import type { ViewSummaryNode } from '../../../../src/view/session-view.ts'
import type { PlacedMessage } from '../../data/transcript-rows.ts'
import { formatAmount, formatCount, formatTime } from '../../format.ts'
import { CopyText } from '../../ui/buttons.tsx'
import { estimateHeight, MessageCard } from '../../ui/message-card.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { TextBlock } from '../../ui/text-block.tsx'
import ui from '../../ui/ui.module.css'
import { VirtualList } from '../../ui/virtual-list.tsx'
import classes from './summaries.module.css'
import { levelOf, rangeOf, sizeOf } from './summary-index.ts'

interface SummaryPanelProps {
  readonly node: ViewSummaryNode
  readonly transcript: readonly PlacedMessage[]
  readonly pattern: RegExp | null
  readonly height: number | string
  readonly onMessage: (seq: number) => void
}

type Row = PlacedMessage | ViewSummaryNode

const isDetails = (row: Row): row is ViewSummaryNode => 'children' in row
const keyOf = (row: Row) => (isDetails(row) ? row.id : row.index)

export function SummaryPanel(props: SummaryPanelProps) {
  const { node, transcript, pattern, height, onMessage } = props
  const rows = useMemo<readonly Row[]>(
    () => [
      node,
      ...transcript.filter(
        ({ message }) => message.seq !== null && node.first <= message.seq && message.seq <= node.last,
      ),
    ],
    [transcript, node],
  )
  const top = useMemo(() => ({ position: 0, of: node.id }), [node.id])
  return (
    <VirtualList
      items={rows}
      keyOf={keyOf}
      estimate={(row) => (isDetails(row) ? 400 : estimateHeight(row.message))}
      jump={top}
      label={`Summary of ${rangeOf(node)} and its messages`}
      height={height}
      render={(row) =>
        isDetails(row) ? (
          <SummaryDetails node={node} pattern={pattern} messages={rows.length - 1} />
        ) : (
          <MessageCard message={row.message} index={row.index} pattern={pattern} onPlace={onMessage} />
        )
      }
    />
  )
}

interface SummaryDetailsProps extends Pick<SummaryPanelProps, 'node' | 'pattern'> {
  readonly messages: number
}

function SummaryDetails({ node, pattern, messages }: SummaryDetailsProps) {
  const times = node.tokens > 0 ? node.sourceTokens / node.tokens : 0
  return (
    <article
      className={`${ui.card} ${classes.details}`}
      data-summary={node.id}
      aria-label={`Summary of ${rangeOf(node)}`}
    >
      <header className={ui.cardHead}>
        <h2>{rangeOf(node)}</h2>
        <span>{levelOf(node)}</span>
        {node.isShown ? (
          <span className={classes.shown}>in the context</span>
        ) : (
          <span>not in the context now</span>
        )}
        {node.isReplaced && <span className={classes.replaced}>its messages were taken back</span>}
        <CopyText text={node.text} />
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
      <TextBlock text={node.text} pattern={pattern} isOpen asMarkdown />
      <h3>{describeOriginals(node, messages)}</h3>
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
