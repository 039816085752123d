import {
  type Forgetting,
  InvalidOptionError,
  type StoredMessage,
  type Summary,
  sliceCharacters,
} from '@palimpsest/core'

const MAX_REFS = 20

interface Ref {
  readonly kind: 'message' | 'summary'
  readonly number: number
}

/** Reads a reference `m57` or `s12`. @throws InvalidOptionError */
export function parseRef(text: string): Ref {
  const match = /^\s*\[?([ms])(\d{1,15})\]?\s*$/i.exec(text)
  if (match === null) {
    throw new InvalidOptionError(
      'id',
      `"${text.slice(0, 40)}" is not an id; use "m57" for a message, "s12" for a summary`,
    )
  }
  return { kind: match[1]?.toLowerCase() === 'm' ? 'message' : 'summary', number: Number(match[2]) }
}

export interface RefRange extends Ref {
  readonly last: number
}

/**
 * Reads a list of at most 20 references `m57`, `m57-m63` and `s12`, in one text or several. @throws InvalidOptionError
 */
export function parseRefs(texts: readonly string[]): readonly [RefRange, ...RefRange[]] {
  const refs = texts
    .flatMap((text) => text.split(/[,;]|(?<=\d)\s+(?=[ms\d])/))
    .filter((text) => text.trim() !== '')
    .map((text): RefRange => {
      const [, first, last] =
        /^\s*\[?(m?\d{1,15})\s*(?:[-–—]|to|\.\.)\s*(m?\d{1,15})\]?\s*$/i.exec(text) ?? []
      if (first === undefined || last === undefined) {
        const ref = parseRef(text)
        return { ...ref, last: ref.number }
      }
      const range = { number: parseMessageNumber(first, 'id'), last: parseMessageNumber(last, 'id') }
      if (range.last >= range.number) return { kind: 'message', ...range }
      throw new InvalidOptionError('id', `"${text.slice(0, 40)}" ends before it begins; write "m57-m63"`)
    })
  const [ref, ...others] = refs
  if (ref === undefined) throw new InvalidOptionError('id', 'id is empty; use "m57", "m57-m63" or "s12"')
  if (refs.length > MAX_REFS)
    throw new InvalidOptionError(
      'id',
      `id names ${refs.length} things; use at most ${MAX_REFS}, or a range "m57-m63"`,
    )
  return [ref, ...others]
}

export function parseMessageNumber(text: string, name: string): number {
  const match = /^\s*m?(\d{1,15})\s*$/i.exec(text)
  if (match === null) throw new InvalidOptionError(name, `"${name}" must be a message such as "m57"`)
  return Number(match[1])
}

/** Reads a date or time in a common format, or milliseconds since the epoch. @throws InvalidOptionError */
export function parseTime(text: string, name: string): number {
  const plain = text.trim()
  // Four digits are a year.
  if (/^(?!\d{4}$)\d{1,16}$/.test(plain)) return Number(plain)
  const isZoned = /^\d{4}(?:-\d{2}){0,2}$|(?:Z|[+-]\d{2}:?\d{2})$/i.test(plain)
  const time = Date.parse(isZoned ? plain : `${plain.replace('T', ' ')} UTC`)
  if (Number.isFinite(time)) return time
  throw new InvalidOptionError(
    name,
    `"${name}" must be a date such as "2026-01-31", a time such as "2026-01-31T12:00:00Z", or milliseconds since the epoch`,
  )
}

/** The reference of a message: `m57`. */
export function messageRef(seq: number): string {
  return `m${seq}`
}

/** The reference of a summary: `s12`. */
export function summaryRef(number: number): string {
  return `s${number}`
}

export function rangeRef(first: number, last: number): string {
  return first === last ? `m${first}` : `m${first}-m${last}`
}

/** A time for a reader. An invalid time is shown as its number. */
export function timeText(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString()
}

const LABEL_CHARACTERS = 100

export function labelText(text: string): string {
  return text.length <= LABEL_CHARACTERS ? text : `${sliceCharacters(text, 0, LABEL_CHARACTERS)}…`
}

export function lossText({
  forgotten,
  damaged,
}: Pick<StoredMessage | Summary, 'forgotten' | 'damaged'>): string | undefined {
  if (forgotten !== undefined)
    return `[deleted on request at ${timeText(forgotten.at)}: ${labelText(forgotten.reason)}]`
  return damaged && '[damaged in the store]'
}

export function summaryText(summary: Summary): string {
  return lossText(summary) ?? summary.text
}

export function forgottenFields(forgotten: Forgetting | undefined) {
  if (forgotten === undefined) return {}
  return { forgotten: { time: timeText(forgotten.at), reason: labelText(forgotten.reason) } }
}
