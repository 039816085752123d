/**
 * Private-use characters that replace found secrets, one per UTF-16 unit, so that offsets stay valid. Each kind of
 * secret has its own.
 */
const FIRST = 0xe000
const LAST = 0xe0ff
const BLANKS = /[\uE000-\uE0FF]+/g
/** Replaces such characters that the text already has. */
const OTHER = '\uF8FF'

const kinds: string[] = []

export function blank(kind: string, length: number): string {
  let at = kinds.indexOf(kind)
  if (at === -1) at = kinds.push(kind) - 1
  if (FIRST + at > LAST) throw new RangeError('there are more kinds of secrets than characters for them')
  return String.fromCharCode(FIRST + at).repeat(length)
}

/** A secret's range in a text, in UTF-16 units. */
export interface SecretRange {
  readonly start: number
  readonly end: number
  readonly kind: string
}

export function blankRanges(text: string): SecretRange[] {
  return [...text.matchAll(BLANKS)].flatMap(({ 0: run, index }) => {
    const ranges: SecretRange[] = []
    let start = 0
    for (let at = 1; at <= run.length; at++) {
      if (run[at] === run[start]) continue
      const kind = kinds[run.charCodeAt(start) - FIRST] ?? 'secret'
      ranges.push({ start: index + start, end: index + at, kind })
      start = at
    }
    return ranges
  })
}

export function withoutBlanks(text: string): string {
  return text.search(BLANKS) === -1 ? text : text.replace(BLANKS, (run) => OTHER.repeat(run.length))
}
