import type { Rect, Viewport } from '@xyflow/react'

/** Room around what is brought into sight, in pixels. */
const room = 24

/** Moves a viewport as little as shows `target`; the same object when it is in sight already. Keeps the zoom. */
export function bringIntoSight(
  viewport: Viewport,
  target: Rect,
  area: { readonly width: number; readonly height: number },
): Viewport {
  const { zoom } = viewport
  const x = shift(viewport.x + target.x * zoom, target.width * zoom, area.width)
  const y = shift(viewport.y + target.y * zoom, target.height * zoom, area.height)
  return x === 0 && y === 0 ? viewport : { x: viewport.x + x, y: viewport.y + y, zoom }
}

/** How far something of this size at this place has to move to stand inside `size`. */
function shift(at: number, length: number, size: number): number {
  if (at < 0) return room - at
  if (at + length > size) return size - room - (at + length)
  return 0
}
