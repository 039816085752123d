/** A part of a text that splits no character: offsets that lie inside of a surrogate pair move inwards. */
export function sliceCharacters(text: string, from: number, to: number): string {
  return text.slice(isInsidePair(text, from) ? from + 1 : from, isInsidePair(text, to) ? to - 1 : to)
}

/** True between the two halves of a surrogate pair. */
function isInsidePair(text: string, offset: number): boolean {
  return (text.codePointAt(offset - 1) ?? 0) > 0xffff
}
