import { sliceCharacters } from '@palimpsest/core'

/** Characters of a memory system's text that are passed on: the beginning and the end of a longer one. */
const MEMORY_CHARACTERS = { whole: 6_000, head: 4_000, tail: 1_500 }

/** The part of a memory system's text that a summariser gets. */
export function boundMemory(text: string): string {
  const { whole, head, tail } = MEMORY_CHARACTERS
  return text.length <= whole
    ? text
    : `${sliceCharacters(text, 0, head)}\n[…]\n${sliceCharacters(text, text.length - tail, text.length)}`
}
