import { memo } from 'react'
import type { PlacedMessage } from '../../ui/find-messages.ts'
import { MessageCard } from '../../ui/message-card.tsx'
import type { SearchTerms } from '../../ui/search-pattern.ts'
import type { MessagePlace } from './message-place.ts'
import { PlaceMark } from './place-mark.tsx'

interface TranscriptRowProps {
  readonly row: PlacedMessage
  /** Whether a link or the search led here. */
  readonly isCurrent: boolean
  readonly terms: SearchTerms
  readonly place: (index: number) => MessagePlace
  readonly onNode: (id: string) => void
}

/** A message of the transcript, and what the model has of it. Rendered once, however far the list is scrolled. */
export const TranscriptRow = memo(function TranscriptRow(props: TranscriptRowProps) {
  const { row, isCurrent, terms, place, onNode } = props
  return (
    <MessageCard
      message={row.message}
      index={row.index}
      highlight={isCurrent}
      query={terms.query}
      wholeWords={terms.wholeWords}
    >
      <PlaceMark place={place(row.index)} onNode={onNode} />
    </MessageCard>
  )
})
