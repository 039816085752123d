/**
 * At most `maxChars` UTF-16 units of a text, with `…` where something was left out. Cuts between words where
 * one ends in the last third, and never inside a code point.
 */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  if (maxChars < 2) return maxChars < 1 ? '' : '…'
  const end = safeEnd(text, maxChars - 1)
  const space = text.lastIndexOf(' ', end)
  return `${text.slice(0, space > (end * 2) / 3 ? space : end).trimEnd()}…`
}

/** Like {@link shorten}, but keeps the beginning and the end: two thirds and one third of the room. */
export function shortenMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const tailChars = Math.floor(maxChars / 3)
  let start = text.length - tailChars
  const space = text.indexOf(' ', start)
  if (space !== -1 && space < start + tailChars / 2) start = space + 1
  if (isLowSurrogate(text.charCodeAt(start))) start++
  return `${shorten(text, maxChars - tailChars - 1)} ${text.slice(start)}`
}

/** The largest index not above `end` at which the text can be cut without splitting a code point. */
export function safeEnd(text: string, end: number): number {
  return isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
