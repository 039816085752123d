import { useContext, useMemo, useRef } from 'react'
import { flushSync } from 'react-dom'
import { formatCount } from '../format.ts'
import { TextButton } from './buttons.tsx'
import { AsWritten, Markdown } from './markdown.tsx'
import { renderPiece } from './plain-text.tsx'
import { cutText, foldText, stepCharacters, type TextWindow, wholeCharacter } from './text-pieces.ts'
import classes from './ui.module.css'
import { isFound } from './use-message-search.ts'
import { useKept } from './virtual-list.tsx'

interface TextBlockProps {
  readonly text: string
  readonly pattern?: RegExp | null
  readonly isOpen?: boolean
  readonly asMarkdown?: boolean
}

/** Longer texts are not rendered as Markdown, because that would take too long. */
const LONGEST_MARKDOWN = 50_000

/** Shows a text byte for byte, unless as Markdown: the element's `textContent` is the unfolded part. Never HTML. */
export function TextBlock({ text, pattern = null, isOpen = false, asMarkdown = false }: TextBlockProps) {
  const folded = useMemo(
    () => (isOpen ? { from: 0, to: stepCharacters } : foldText(text, firstMatch(text, pattern))),
    [text, pattern, isOpen],
  )
  const asWritten = useContext(AsWritten)
  const [unfolded, show] = useKept<TextWindow | null>(`text ${text}`, null)
  const { from, to } = unfolded ?? folded
  const { pieces, end } = useMemo(() => cutText(text, from, to, pattern), [text, from, to, pattern])
  const isSet =
    asMarkdown && !asWritten && from === 0 && end >= to && end <= LONGEST_MARKDOWN && !isFound(text, pattern)
  const element = useRef<HTMLDivElement>(null)
  // Keeps the reader's position, because the end of a long text is far below.
  const fold = () => {
    flushSync(() => show(null))
    element.current?.scrollIntoView({ block: 'nearest' })
  }
  const before = Math.min(from, stepCharacters)
  const after = Math.min(text.length - end, stepCharacters)
  const isRest = from === 0 && end + after === text.length
  return (
    <>
      {before > 0 && (
        <TextButton
          className={classes.more}
          onClick={() => show({ from: wholeCharacter(text, from - before), to: end })}
        >
          Show {formatCount(before)} characters before
        </TextButton>
      )}
      <div ref={element}>
        {isSet ? (
          <Markdown text={text.slice(0, end)} />
        ) : (
          <pre className={classes.text} data-text="">
            {pieces.map(renderPiece)}
          </pre>
        )}
      </div>
      {after > 0 && (
        <TextButton
          className={classes.more}
          onClick={() => show({ from, to: wholeCharacter(text, end + after) })}
        >
          {isRest
            ? `Show all ${formatCount(text.length)} characters`
            : `Show ${formatCount(after)} more of ${formatCount(text.length)} characters`}
        </TextButton>
      )}
      {unfolded !== null && (
        <TextButton className={classes.more} onClick={fold}>
          Show less
        </TextButton>
      )}
    </>
  )
}

const firstMatch = (text: string, pattern: RegExp | null): number =>
  pattern === null ? 0 : Math.max(0, text.search(pattern))
