import { memo } from 'react'
import type { PlacedMessage } from '../../ui/find-messages.ts'
import { MessageCard } from '../../ui/message-card.tsx'
import type { SearchTerms } from '../../ui/search-pattern.ts'
import classes from './details.module.css'

interface SourceMessageProps {
  readonly row: PlacedMessage
  readonly terms: SearchTerms
  /** Goes to a message in the transcript, by its index in `messages`. */
  readonly onMessage: (index: number) => void
}

/** A message that a summary stands for, with the way to its place in the transcript. */
export const SourceMessage = memo(function SourceMessage({ row, terms, onMessage }: SourceMessageProps) {
  const { message, index } = row
  return (
    <MessageCard message={message} index={index} query={terms.query} wholeWords={terms.wholeWords}>
      <button type="button" className={classes.link} onClick={() => onMessage(index)}>
        in the transcript
      </button>
    </MessageCard>
  )
})
