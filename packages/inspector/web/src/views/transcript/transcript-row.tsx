import { memo } from 'react'
import type { PlacedMessage } from '../../ui/find-messages.ts'
import { MessageCard } from '../../ui/message-card.tsx'
import type { SearchTerms } from '../../ui/search-pattern.ts'
import type { MessagePlace } from './message-place.ts'
import classes from './transcript.module.css'

interface TranscriptRowProps {
  readonly row: PlacedMessage
  readonly isCurrent: boolean
  readonly terms: SearchTerms
  readonly place: (index: number) => MessagePlace
  readonly onNode: (id: string) => void
}

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

const words: Readonly<Record<Exclude<MessagePlace['kind'], 'summarised'>, string>> = {
  shown: 'in the context',
  'in-part': 'in the context in part',
  new: 'since the last request',
  absent: 'not in the context',
}

interface PlaceMarkProps {
  readonly place: MessagePlace
  readonly onNode: (id: string) => void
}

function PlaceMark({ place, onNode }: PlaceMarkProps) {
  if (place.kind === 'summarised') {
    const { id } = place.node
    return (
      <button type="button" className={classes.place} data-place="summarised" onClick={() => onNode(id)}>
        behind a summary
      </button>
    )
  }
  return (
    <span className={classes.place} data-place={place.kind}>
      {words[place.kind]}
    </span>
  )
}
