import { normalSlot, normalValue } from '../log/normal-text.ts'
import { findTechnologies } from './find-technologies.ts'
import { spellingKey, TECHNOLOGIES } from './technologies.ts'

/** Slots in which values stand beside each other. A free slot is its own subject; only rules are kept side by side. */
const MANY: ReadonlySet<string> = new Set([
  'library',
  'data-library',
  'test-library',
  'model-provider',
  'git-hooks',
  'rule',
  'practice',
])

const TITLES: Readonly<Record<string, string>> = {
  'api-style': 'API style',
  'api-versioning': 'API versioning',
  'cli-library': 'CLI library',
  'e2e-tests': 'end-to-end tests',
  'http-client': 'HTTP client',
  'id-format': 'ID format',
  'ml-framework': 'ML framework',
  cdn: 'CDN',
  ci: 'CI',
  i18n: 'i18n',
  orm: 'ORM',
  rtos: 'RTOS',
  sms: 'SMS',
}

const TRAILING_VERSION = /\s(\d[\w.+]*)$/

/**
 * The slot that a value fills when nothing around it says which, and its canonical spelling: `PostgreSQL` for `postgres`,
 * `PostgreSQL 16` for `postgres 16`. Undefined for a value that no slot knows.
 */
export function slotOfValue(value: string): { slot: string; value: string } | undefined {
  if (typeof value !== 'string' || value.length > 100) return undefined
  const trimmed = value.trim()
  const known = TECHNOLOGIES.get(spellingKey(trimmed))
  if (known !== undefined) return { slot: known.slots[0] ?? '', value: known.name }
  const [only, ...others] = findTechnologies(trimmed)
  if (only === undefined || others.length > 0 || only.start > 0 || only.end < trimmed.length) return undefined
  return { slot: only.technology.slots[0] ?? '', value: only.value }
}

/**
 * Whether two values of a slot are the same choice: by spelling and alias, and for a known technology by its version, where a
 * value without one fits every version.
 */
export function sameValue(slot: string, a: string, b: string): boolean {
  const [first, second] = [canonical(slot, a), canonical(slot, b)]
  if (first === second) return true
  if (!isKnown(slot)) return false
  const [bare, other] = [first.replace(TRAILING_VERSION, ''), second.replace(TRAILING_VERSION, '')]
  return bare === other && (bare === first || other === second)
}

/** Whether a new value of a slot takes the place of the old one, or stands beside it. */
export function cardinalityOf(slot: string): 'one' | 'many' {
  const [prefix = ''] = normalSlot(slot).split(':', 1)
  return MANY.has(prefix) ? 'many' : 'one'
}

/** A slot as people name it: `package manager`, `max retries`, `rule`. */
export function slotTitle(slot: string): string {
  const normal = normalSlot(slot)
  const colon = normal.indexOf(':')
  const prefix = colon === -1 ? '' : normal.slice(0, colon)
  if (prefix === 'rule' || prefix === 'fact') return prefix
  const name = normal.slice(colon + 1)
  if (prefix === 'name') return `name of ${name}`
  if (prefix === 'location') return `location of ${name.replaceAll('-', ' ')}`
  // A slot may be called `constructor`.
  const known = Object.hasOwn(TITLES, normal) ? TITLES[normal] : undefined
  return known ?? (/[._/]/.test(name) ? name : name.replaceAll('-', ' '))
}

function canonical(slot: string, value: string): string {
  const known = isKnown(slot) ? slotOfValue(value) : undefined
  return spellingKey(normalValue(known?.value ?? value)).replace(/(\d) (?=[a-z%]+$)/, '$1')
}

function isKnown(slot: string): boolean {
  return !slot.includes(':')
}
