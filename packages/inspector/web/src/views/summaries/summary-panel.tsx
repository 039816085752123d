import { memo, useMemo } from 'react'
import type { ViewSummaryNode } from '../../../../src/view/session-view.ts'
import { estimateHeight } from '../../ui/estimate-height.ts'
import type { PlacedMessage } from '../../ui/find-messages.ts'
import { MessageCard } from '../../ui/message-card.tsx'
import type { SearchTerms } from '../../ui/search-pattern.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { rangeOf } from './describe-summary.ts'
import classes from './details.module.css'
import { SummaryDetails } from './summary-details.tsx'
import type { SummaryIndex } from './summary-index.ts'

interface SourceMessageProps {
  readonly row: PlacedMessage
  readonly terms: SearchTerms
  /** Goes to a message in the transcript, by its index in `messages`. */
  readonly onMessage: (index: number) => void
}

/** A message that a summary stands for, with the way to its place in the transcript. */
const SourceMessage = memo(function SourceMessage({ row, terms, onMessage }: SourceMessageProps) {
  const { message, index } = row
  return (
    <MessageCard message={message} index={index} query={terms.query} wholeWords={terms.wholeWords}>
      <button type="button" className={classes.link} onClick={() => onMessage(index)}>
        in the transcript
      </button>
    </MessageCard>
  )
})

interface SummaryPanelProps {
  readonly node: ViewSummaryNode
  readonly index: SummaryIndex
  readonly transcript: readonly PlacedMessage[]
  readonly terms: SearchTerms
  /** In pixels. */
  readonly height: number
  readonly onSelect: (id: string) => void
  /** Goes to a message in the transcript, by its index in `messages`. */
  readonly onMessage: (index: number) => void
}

type Row = PlacedMessage | ViewSummaryNode

const isDetails = (row: Row): row is ViewSummaryNode => 'children' in row
const keyOf = (row: Row) => (isDetails(row) ? row.id : row.index)

/** A summary, and under it the original messages that it stands for. One list: it scrolls as a whole. */
export function SummaryPanel(props: SummaryPanelProps) {
  const { node, index, transcript, terms, height, onSelect, onMessage } = props
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
          <SummaryDetails
            node={node}
            index={index}
            terms={terms}
            messages={rows.length - 1}
            onSelect={onSelect}
          />
        ) : (
          <SourceMessage row={row} terms={terms} onMessage={onMessage} />
        )
      }
    />
  )
}
