import { useMemo } from 'react'
import { renderPiece } from './render-piece.tsx'
import { cutText } from './text-pieces.ts'

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
