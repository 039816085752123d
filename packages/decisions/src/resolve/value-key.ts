import { normalValue } from '../log/normal-text.ts'
import { slotOfValue } from '../slots/slots.ts'
import { spellingKey } from '../slots/technologies.ts'

const TRAILING_VERSION = /\s\d[\w.+]*$/

/** The key of a value in any slot: `postgres`, `PostgreSQL` and `PostgreSQL 16` are found together. */
export function valueKey(value: string): string {
  const known = slotOfValue(value)
  const text = known ? normalValue(known.value).replace(TRAILING_VERSION, '') : normalValue(value)
  return spellingKey(text).replace(/(\d) (?=[a-z%]+$)/, '$1')
}

/** Whether a value says what another one says and more: `PostgreSQL 16` to `postgres`. */
export function saysMore(value: string, than: string): boolean {
  const [longer, shorter] = [value, than].map((text) => normalValue(slotOfValue(text)?.value ?? text))
  return longer !== undefined && longer.replace(TRAILING_VERSION, '') === shorter && longer !== shorter
}

/**
 * Whether a value names one thing wherever it stands: a technology, or something written like an identifier. A word such
 * as `sessions`, or a number, may mean anything elsewhere.
 */
export function isTelling(value: string): boolean {
  return slotOfValue(value) !== undefined || isIdentifier(value.trim())
}

/** Whether a text is one word written as only names are: `sessions.db`, `getUser`, `max_retries`. */
export function isIdentifier(text: string): boolean {
  return (
    text.length >= 3 &&
    text.length <= 120 &&
    !/\s/.test(text) &&
    /\p{L}/u.test(text) &&
    /[\p{L}\p{N}][./:@-][\p{L}\p{N}]|\p{Ll}\p{Lu}|_/u.test(text)
  )
}

/** The prefix of a slot whose value is free: `rule`, `fact`, `setting`, `name`. */
export function slotPrefix(slot: string): string {
  const colon = slot.indexOf(':')
  return colon < 0 ? (slot === 'rule' || slot === 'fact' ? slot : '') : slot.slice(0, colon)
}

/** Whether the values of a slot are sentences, which are compared by their words. */
export function isProse(slot: string): boolean {
  const prefix = slotPrefix(slot)
  return prefix === 'rule' || prefix === 'fact'
}

/** A name that was given to something, however its words are joined: `getUser`, `get-user` and `get_user` are one. */
export function nameKey(name: string): string {
  return `name ${name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')}`
}
