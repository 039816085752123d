import { normalValue } from '../log/normal-text.ts'

const NUMBER = /\d[\d.,_]*/
const BARE = /^\d[\d.,_]*$/
/** "4 spaces". */
const COUNTED = /^\d+ \D+$/
const VERSION = /^(.+ )\d[\w.+]*$/

/**
 * A value with another one in place of its number or its name: "30 s" becomes "60 s" by "60", "Node.js 20" becomes "Node.js 22" by
 * "22". Undefined when the other one cannot stand there, or replaces another value.
 */
export function amendedValue(
  slot: string,
  value: string,
  { value: next, replaces }: { readonly value: string; readonly replaces?: string },
): string | undefined {
  if (replaces !== undefined && !isMeant(value, replaces)) return undefined
  if (!/^\D?\d/.test(next))
    return replaces !== undefined && /^(?:name|location):/.test(slot) ? next : undefined
  const isBare = BARE.test(next)
  if (!slot.includes(':')) {
    if (!isBare) return undefined
    return COUNTED.test(value) ? value.replace(NUMBER, next) : VERSION.exec(value)?.[1]?.concat(next)
  }
  if (!slot.startsWith('setting:') || !NUMBER.test(value)) return undefined
  if (isBare) return value.replace(NUMBER, next)
  return measuresTheSame(unitOf(value), unitOf(next)) ? next : undefined
}

/** Units that can take each other's place, or that of none. */
const MEASURES: readonly RegExp[] = [
  /^(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?)$/,
  /^(?:b|bytes?|[kmgt]i?b?)$/,
  /^(?:%|percent)$/,
  /^(?:px|pixels?|r?em|pt)$/,
]

function measuresTheSame(unit: string, next: string): boolean {
  const measure = MEASURES.find((pattern) => pattern.test(next))
  return unit === next || (measure !== undefined && (unit === '' || measure.test(unit)))
}

/** Whether two values have the same unit, as "30 s" and "20 s" have; false where one has none. */
export function haveSameUnit(a: string, b: string): boolean {
  return unitOf(a) !== '' && unitOf(a) === unitOf(b)
}

function unitOf(value: string): string {
  return normalValue(value.replace(NUMBER, ''))
}

function isMeant(value: string, replaces: string): boolean {
  const number = NUMBER.exec(value)?.[0]
  return (
    normalValue(value) === normalValue(replaces) ||
    (number !== undefined && number === NUMBER.exec(replaces)?.[0])
  )
}
