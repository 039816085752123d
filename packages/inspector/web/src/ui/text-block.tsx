import { useMemo, useRef } from 'react'
import { flushSync } from 'react-dom'
import { formatCount } from '../format.ts'
import { TextButton } from './buttons.tsx'
import { Markdown } from './markdown.tsx'
import { renderPiece } from './plain-text.tsx'
import { cutText, foldText, stepCharacters, wholeCharacter } from './text-pieces.ts'
import classes from './ui.module.css'
import { isFound } from './use-message-search.ts'
import { useUnfolded } from './virtual-list.tsx'

interface TextBlockProps {
  readonly text: string
  readonly pattern?: RegExp | null
  readonly isOpen?: boolean
  /** Whether it may be set as Markdown, where nothing in it is searched for. */
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
    () =>
      isOpen
        ? { from: 0, to: Math.min(text.length, stepCharacters) }
        : foldText(text, firstMatch(text, pattern)),
    [text, pattern, isOpen],
  )
  const [unfolded, show] = useUnfolded(text)
  const { from, to } = unfolded ?? folded
  const { pieces, end } = useMemo(() => cutText(text, from, to, pattern), [text, from, to, pattern])
  const isSet = asMarkdown && from === 0 && end === to && end <= LONGEST_MARKDOWN && !isFound(text, pattern)
  const element = useRef<HTMLDivElement>(null)
  // The end of a long text is far below: without this a reader would be left wherever the list happens to be.
  const fold = () => {
    flushSync(() => show(null))
    element.current?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <>
      {from > 0 && (
        <MoreButton
          count={Math.min(from, stepCharacters)}
          of={from}
          where="before"
          onClick={() => show({ from: wholeCharacter(text, Math.max(0, from - stepCharacters)), to: end })}
        />
      )}
      <div ref={element}>
        {isSet ? (
          <Markdown text={text.slice(0, end)} />
        ) : (
          <pre className={classes.text} data-text="" data-from={from} data-to={end}>
            {pieces.map(renderPiece)}
          </pre>
        )}
      </div>
      {end < text.length && (
        <MoreButton
          count={Math.min(text.length - end, stepCharacters)}
          of={text.length - end}
          where={from > 0 ? 'after' : 'all'}
          total={text.length}
          onClick={() =>
            show({ from, to: wholeCharacter(text, Math.min(text.length, end + stepCharacters)) })
          }
        />
      )}
      {unfolded !== null && (
        <TextButton className={classes.more} onClick={fold}>
          Show less
        </TextButton>
      )}
    </>
  )
}

interface MoreButtonProps {
  readonly count: number
  readonly of: number
  readonly where: 'before' | 'after' | 'all'
  readonly total?: number
  readonly onClick: () => void
}

function MoreButton({ count, of, where, total, onClick }: MoreButtonProps) {
  const isRest = count === of
  const words =
    where === 'all' && isRest && total !== undefined
      ? `Show all ${formatCount(total)} characters`
      : isRest
        ? `Show ${formatCount(count)} characters ${where === 'before' ? 'before' : 'more'}`
        : `Show ${formatCount(count)} of ${formatCount(of)} characters ${where === 'before' ? 'before' : 'more'}`
  return (
    <TextButton className={classes.more} onClick={onClick}>
      {words}
    </TextButton>
  )
}

function firstMatch(text: string, pattern: RegExp | null): number {
  if (pattern === null) return 0
  pattern.lastIndex = 0
  const match = pattern.exec(text)
  pattern.lastIndex = 0
  return match?.index ?? 0
}
