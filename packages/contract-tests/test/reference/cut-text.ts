import type { TokenCounter } from '@palimpsest/core'

/** The text from `start`, about `length` characters of it. Neither end lies inside a surrogate pair. */
export function sliceText(text: string, start: number, length: number): string {
  return text.slice(wholeIndex(text, start), wholeIndex(text, start + length))
}

/** The beginning of a text that costs at most `maxTokens`. */
export function cutToTokens(text: string, maxTokens: number, tokens: TokenCounter): string {
  let cut = text
  for (let count = tokens.countText(cut); cut !== '' && count > maxTokens; count = tokens.countText(cut))
    cut = sliceText(cut, 0, Math.min(cut.length - 2, Math.floor((cut.length * maxTokens) / count)))
  return cut
}

/** The index, or the next one when it stands between the halves of a surrogate pair. */
export function wholeIndex(text: string, index: number): number {
  const isInside = (text.codePointAt(index - 1) ?? 0) > 0xffff
  return isInside ? index + 1 : index
}
