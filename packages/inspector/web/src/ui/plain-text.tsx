import { useMemo } from 'react'
import { cutText, namePoints, type TextPiece } from './text-pieces.ts'
import classes from './ui.module.css'

/** A short text from a session, as it stands, with marks at what cannot be seen. */
export function PlainText({
  text,
  pattern = null,
}: {
  readonly text: string
  readonly pattern?: RegExp | null
}) {
  const { pieces } = useMemo(() => cutText(text, 0, text.length, pattern), [text, pattern])
  return <bdi>{pieces.map(renderPiece)}</bdi>
}

/** Shows a stretch of a text. What is invisible keeps its characters and gets its name before them. */
export function renderPiece(piece: TextPiece) {
  if (piece.kind === 'plain') return piece.text
  if (piece.kind === 'match') {
    return (
      <mark key={piece.from} className={classes.match}>
        {piece.text}
      </mark>
    )
  }
  const points = namePoints(piece.text)
  return (
    <span key={piece.from} className={classes.invisible} data-points={points} title={`Invisible: ${points}`}>
      {piece.text}
    </span>
  )
}
