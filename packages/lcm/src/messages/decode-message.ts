import type { TextMark } from './map-texts.ts'
import { mapTexts } from './map-texts.ts'
import { escapeLiterals } from './unescape-literals.ts'

/**
 * The JSON text of a message, as it was before `encodeMessage` took it apart.
 *
 * @throws SyntaxError or TypeError when `shape` is damaged. Other damage shows in the hash of what is returned.
 */
export function decodeMessage(shape: string, text: string): string {
  const [skeleton, ...marks] = JSON.parse(shape) as [unknown, ...TextMark[]]
  let next = 0
  let position = 0
  const message = mapTexts(skeleton, (left) => {
    const mark = marks[next++] ?? 0
    const [signed = 0, ...escapes] = typeof mark === 'number' ? [mark] : mark
    const length = Math.abs(Number(signed))
    if (length === 0) return left
    const piece = text.slice(position, position + length)
    // Behind each piece stands the newline that divides it from the next one.
    position += length + 1
    return Number(signed) < 0 ? left : escapeLiterals(piece, escapes)
  })
  return JSON.stringify(message)
}
