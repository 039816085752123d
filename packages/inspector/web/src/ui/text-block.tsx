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
  /** Whether it is set as Markdown, unless something in it is searched for, or the reader wants it as written. */
  readonly asMarkdown?: boolean
}

/** More than this is shown as it was written: a browser would take long to set it. */
const LONGEST_MARKDOWN = 50_000

/**
 * A text byte for byte, unless it is set as Markdown: the element's `textContent` is its unfolded part. Never HTML; marks
 * change no character.
 */
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
  // The end of a long text is far below: without this a reader would be left wherever the list happens to be.
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

function firstMatch(text: string, pattern: RegExp | null): number {
  if (pattern === null) return 0
  pattern.lastIndex = 0
  const match = pattern.exec(text)
  pattern.lastIndex = 0
  return match?.index ?? 0
}
