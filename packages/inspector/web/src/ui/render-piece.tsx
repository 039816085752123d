import { namePoints, type TextPiece } from './text-pieces.ts'
import classes from './ui.module.css'

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
