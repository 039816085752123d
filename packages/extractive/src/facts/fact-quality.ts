const STOP_WORDS = new Set(
  'the a an of to in on at by for from with and or but as if so than then that this these those it its is are was were be been has have had do does did not no all some any each other which what who how when where he she they we you i his her their our your my into out up down about over more most very just also only can could would should will may might'.split(
    ' ',
  ),
)

/** What a quoted plain word is worth as a value, against one that can only be known by its wording. */
const PLAIN_WORD = 0.4

/**
 * 0 to 1: how much a statement looks like one that gives a name its value, and not like any sentence with a
 * verb. "limit of KEY is 42" is one; "after it there is in foo_bar" is none.
 */
export function factQuality(key: string, value: string): number {
  const words = key.split(' ')
  let quality = 0.45
  if (/\bof \S+$/i.test(key)) quality += 0.3
  if (/[A-Z]{2}|\d|[_/.-]|[a-z][A-Z]/.test(key)) quality += 0.15
  if (/^[\d#/~v]|\d{2}|:\/\//.test(value)) quality += 0.1
  if (words.length > 6) quality -= 0.15
  const empty = words.filter((word) => STOP_WORDS.has(word.toLowerCase())).length
  quality -= 0.6 * Math.max(0, empty / words.length - 0.34)
  if (/^["'`“][\p{L}\s]*["'`”]?$/u.test(value)) quality *= PLAIN_WORD
  return Math.min(1, Math.max(0.05, quality))
}
