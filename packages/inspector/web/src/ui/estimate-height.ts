import type { ViewMessage } from '../../../src/view/session-view.ts'
import { foldedCharacters, foldedLines } from './fold-text.ts'

const head = 54
const line = 19

/** A list asks for all of its messages whenever one is added. */
const known = new WeakMap<ViewMessage, number>()

/** The likely height of a folded message's card with the room under it, in pixels: the list corrects it in sight. */
export function estimateHeight(message: ViewMessage): number {
  const height = known.get(message) ?? heightOf(message)
  known.set(message, height)
  return height
}

function heightOf(message: ViewMessage): number {
  let height = head + line * linesOf(message.text)
  for (const call of message.calls ?? []) height += 40 + line * linesOf(call.arguments)
  return height
}

function linesOf(text: string): number {
  if (text === '') return 0
  const columns = window.innerWidth < 700 ? 44 : 140
  let lines = 0
  let at = 0
  while (lines < foldedLines && at < Math.min(text.length, foldedCharacters)) {
    const next = text.indexOf('\n', at)
    const end = next === -1 ? text.length : next
    lines += Math.max(1, Math.ceil((end - at) / columns))
    at = end + 1
  }
  return Math.min(lines, Math.ceil(foldedCharacters / columns) + foldedLines) + (at < text.length ? 1.5 : 0)
}
