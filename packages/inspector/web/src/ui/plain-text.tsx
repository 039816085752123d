import { useMemo } from 'react'
import { cutText, namePoints, type TextPiece } from './text-pieces.ts'
import classes from './ui.module.css'

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
