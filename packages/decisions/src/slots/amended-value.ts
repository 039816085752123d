import { normalValue } from '../log/normal-text.ts'

const NUMBER = /\d[\d.,_]*/
const BARE = /^\d[\d.,_]*$/
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
  if (!slot.includes(':')) return BARE.test(next) ? VERSION.exec(value)?.[1]?.concat(next) : undefined
  if (!slot.startsWith('setting:') || !NUMBER.test(value)) return undefined
  return BARE.test(next) ? value.replace(NUMBER, next) : next
}

function isMeant(value: string, replaces: string): boolean {
  const number = NUMBER.exec(value)?.[0]
  return (
    normalValue(value) === normalValue(replaces) ||
    (number !== undefined && number === NUMBER.exec(replaces)?.[0])
  )
}
