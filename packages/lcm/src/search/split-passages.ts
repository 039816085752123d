import { sliceCharacters } from '@palimpsest/core'
import type { Span } from './find-term.ts'

/** Characters of a passage at most. */
export const PASSAGE_CHARACTERS = 800

/** Cuts a text into passages: at the end of a line if one ends in the second half, else at a space, else anywhere. */
export function splitPassages(text: string): readonly Span[] {
  const passages: Span[] = []
  for (let start = 0; start < text.length; ) {
    const end = passageEnd(text, start)
    passages.push({ start, end })
    start = end
  }
  return passages
}

function passageEnd(text: string, start: number): number {
  const most = start + PASSAGE_CHARACTERS
  if (most >= text.length) return text.length
  const least = start + PASSAGE_CHARACTERS / 2
  for (const separator of ['\n', ' ']) {
    const at = text.lastIndexOf(separator, most - 1)
    if (at >= least) return at + 1
  }
  return start + sliceCharacters(text, start, most).length
}
