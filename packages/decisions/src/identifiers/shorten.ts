import { charClass } from './char-classes.ts'

/** A run without a space that is longer is no name: it is cut where the room ends. */
const MOST_OF_NAME = 240

/**
 * At most `maxChars` UTF-16 units of a text, with `…` where something was left out. Cuts between words, never inside a path or
 * another name, nor inside a code point.
 */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  return maxChars < 1 ? '' : `${text.slice(0, cutBefore(text, maxChars - 1)).trimEnd()}…`
}

/** Like {@link shorten}, but keeps the beginning and the end: two thirds and one third of the room. */
export function shortenMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const tailChars = Math.floor(maxChars / 3)
  const tail = text.slice(cutAfter(text, text.length - tailChars)).trimStart()
  return tail === '' ? shorten(text, maxChars) : `${shorten(text, maxChars - tailChars - 1)} ${tail}`
}

/** The largest index not above `end` at which a text can be cut without splitting a name or a code point. */
export function cutBefore(text: string, end: number): number {
  let at = end
  while (at > 0 && end - at <= MOST_OF_NAME && isInside(text, at)) at--
  return end - at > MOST_OF_NAME ? safe(text, end) : at
}

/** The smallest index not below `start` at which a text can be cut so. */
export function cutAfter(text: string, start: number): number {
  let at = start
  while (at < text.length && at - start <= MOST_OF_NAME && isInside(text, at)) at++
  return at - start > MOST_OF_NAME ? safe(text, start) : at
}

/** True between two characters of a word, a path or a code point. */
function isInside(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)]
  return safe(text, at) !== at || (isJoined(before) && isJoined(after))
}

/** ASCII without white space, and letters of alphabets; scripts without spaces can be cut anywhere. */
function isJoined(code: number): boolean {
  return (code > 32 && code < 127) || charClass(code) !== 0
}

function safe(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
