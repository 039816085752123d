import type { Message } from '@palimpsest/core'
import { plainText } from './oracle.ts'

/** The lines with which an engine marks where the text of a model begins and ends in a message. */
export interface SummaryFrame {
  /** The beginning of the first line, as far as it is always the same. */
  readonly opening: string
  /** The last line. Empty when it is not always the same. */
  readonly closing: string
}

/**
 * The frame of two messages that were made of two texts of a model which have nothing in common, neither at their
 * beginning nor at their end. So it is found whatever it looks like.
 */
export function frameOf(one: Message, other: Message): SummaryFrame {
  const [first, second] = [linesOf(one), linesOf(other)]
  const closing = first.at(-1) === second.at(-1) ? first.at(-1) : ''
  return { opening: commonWords(first[0] ?? '', second[0] ?? ''), closing: closing ?? '' }
}

/** The number of times that a text holds another one; 0 for the empty text. */
export function timesIn(text: string, part: string): number {
  return part === '' ? 0 : text.split(part).length - 1
}

function linesOf(message: Message): string[] {
  return plainText(message).trim().split('\n')
}

/** The common beginning of two lines, in whole words: ids that differ may begin alike. */
function commonWords(one: string, other: string): string {
  if (one === other) return one
  let end = 0
  while (end < one.length && one[end] === other[end]) end++
  return one.slice(0, end).replace(/(?<![\w-])[\w-]+$/, '')
}
