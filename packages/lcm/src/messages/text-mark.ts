/**
 * The mark of one text in the shape of a message, in the order of `mapTexts`:
 * - a length: so many characters of `text` are it.
 * - a negative length: it stands in the shape itself, because `text` can only hold a copy of so many characters.
 * - a list: the length, and how to put back the escapes (`EscapeMarks`).
 */
export type TextMark = number | readonly (number | string)[]
