const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)
const MONTH = `(?:${MONTHS.map((month) => `${month.slice(0, 3)}(?:${month.slice(3)}|\\.)?`).join('|')}|sept\\.?)`
const DAY = '\\d{1,2}(?:st|nd|rd|th)?'
const CLOCK = '\\d{1,2}:\\d{2}(?::\\d{2})?(?:\\.\\d+)?(?:\\s?[ap]\\.?m\\.?)?'
const ISO = /\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?/i
const DATES = [
  ISO.source,
  `${DAY}(?: of)?[ -]${MONTH},?[ -]\\d{4}`,
  `${MONTH}[ -]${DAY},?[ -]\\d{4}`,
  '\\d{4}/\\d{1,2}/\\d{1,2}',
  '\\d{1,2}\\.\\d{1,2}\\.\\d{4}',
].join('|')
const LABEL =
  '(?:date|time|timestamp|session \\d+|on|at|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|satur|sat|sun)(?:day)?)'
/** A date at the start of a message: `[1:56 pm on 8 May, 2023]`, `2026-01-31 12:00:05 -`, `Date: May 8, 2023`. */
const OPENING = new RegExp(
  `^[[(<*#\\s]{0,4}(?:(?:${LABEL}|${CLOCK})[\\s,:.-]+){0,4}(${DATES})(?:[\\s,]+(?:at )?${CLOCK})?\\s*(?:[\\])>:|*–—-]+\\s*|\\n|$|(?<=:\\d{2}\\S*)\\s)`,
  'i',
)
const OPENING_CHARACTERS = 80

export interface SaidDate {
  readonly at: number
  readonly length: number
}

export function saidDate(text: string): SaidDate | undefined {
  const found = OPENING.exec(text.slice(0, OPENING_CHARACTERS))
  const at = found?.[1] === undefined ? undefined : readDate(found[1])
  return found === null || at === undefined ? undefined : { at, length: found[0].length }
}

export function readDate(text: string): number | undefined {
  const plain = text
    .trim()
    .replace(/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, '$3-$2-$1')
    .replace(/(\d)(?:st|nd|rd|th)\b/i, '$1')
    .replace(/ of /i, ' ')
  const isZoned = /^\d{4}(?:-\d{2}){0,2}$|:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})$/i.test(plain)
  const named = /[a-z]{3}/i.test(plain) ? plain.replaceAll('-', ' ') : plain.replace('T', ' ')
  const at = Date.parse(isZoned ? plain : `${named} UTC`)
  return Number.isFinite(at) ? at : undefined
}
