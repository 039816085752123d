import type { ViewSourceSpan } from '../../../../src/view/session-view.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import classes from './decisions.module.css'

interface SourceQuoteProps {
  readonly source: ViewSourceSpan
  /** Goes to the message at a place of the transcript. */
  readonly onSeq: (seq: number) => void
}

/** Where something was said: the words, and the way to the message. */
export function SourceQuote({ source, onSeq }: SourceQuoteProps) {
  const { quote, role, turn, seq } = source
  const where = `${role}, turn ${turn}`
  return (
    <blockquote className={classes.quote}>
      <PlainText text={quote} />
      <footer>
        {seq === null ? (
          <span>
            <PlainText text={where} />, not in this session
          </span>
        ) : (
          <button type="button" className={classes.link} onClick={() => onSeq(seq)}>
            <PlainText text={where} />
          </button>
        )}
      </footer>
    </blockquote>
  )
}
