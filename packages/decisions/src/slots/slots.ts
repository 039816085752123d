import type { Category } from '../log/decision-event.ts'
import { normalSlot, normalValue } from '../log/normal-text.ts'
import { remembered } from '../remembered.ts'
import { findTechnologies } from './find-technologies.ts'
import { SLOTS } from './slot-table.ts'
import { spellingKey, technologies } from './technologies.ts'

const bySlot = new Map(SLOTS.map((slot) => [slot.name, slot]))

/** Slots that the same thing can fill: "SQLite for caching" is a cache, "Redis for the dashboard" is not a frontend. */
const ALIKE: readonly (readonly string[])[] =
  `cache datastore session-store search vector-store queue file-storage
  linter formatter type-checker
  test-runner e2e-tests test-library
  web-framework frontend rendering
  frontend mobile desktop
  serialization config-format api-style logging documentation
  hosting ci containers orchestration cdn web-server infrastructure-as-code deployment file-storage
  logging monitoring analytics
  api-style realtime queue
  styling component-library
  build-tool monorepo package-manager runtime
  auth authorization session-store
  orm migrations datastore
  versioning commit-style merge-strategy branching
  state-management http-client realtime
  code-hosting issue-tracker version-control ci documentation
  email sms chat`
    .split('\n')
    .map((line) => line.trim().split(' '))

/** Whether the same things can fill two slots. */
export function areAlike(a: string, b: string): boolean {
  return ALIKE.some((kind) => kind.includes(a) && kind.includes(b))
}

const TRAILING_VERSION = /\s(\d[\w.+]*)$/

/**
 * The slot that a value fills when nothing around it says which, and its canonical spelling: `PostgreSQL` for `postgres`,
 * `PostgreSQL 16` for `postgres 16`. Undefined for a value that no slot knows.
 */
export function slotOfValue(value: string): { slot: string; value: string } | undefined {
  if (typeof value !== 'string' || value.length > 100) return undefined
  const trimmed = value.trim()
  const known = technologies().get(spellingKey(trimmed))
  if (known !== undefined) return { slot: known.slots[0] ?? '', value: known.name }
  const [only, ...others] = findTechnologies(trimmed)
  if (only === undefined || others.length > 0 || only.start > 0 || only.end < trimmed.length) return undefined
  return { slot: only.technology.slots[0] ?? '', value: only.value }
}

/** The slots that a value may fill, by the first technology in it, the usual one first; none when it names none. */
export function slotsFilledBy(value: string): readonly string[] {
  return findTechnologies(value)[0]?.technology.slots ?? []
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

/** The slot of the rule not to use something, in any version. */
export function refusalSlot(value: string): string {
  return normalSlot(`rule:no-${canonicalTechnology(value).replace(TRAILING_VERSION, '')}`)
}

const ONE_RULE = /^rule:[^.]+\.[a-z]+$/

/** Whether a new value of a slot takes the place of the old one, or stands beside it. */
export function cardinalityOf(slot: string): 'one' | 'many' {
  if (ONE_RULE.test(slot)) return 'one'
  const [prefix = ''] = normalSlot(slot).split(':', 1)
  return bySlot.get(prefix)?.many === true ? 'many' : 'one'
}

/** Where a decision of a slot stands. */
export function categoryOf(slot: string): Category {
  return bySlot.get(slot.split(':', 1)[0] ?? '')?.category ?? 'decisions'
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
  return bySlot.get(normal)?.title ?? (/[._/]/.test(name) ? name : name.replaceAll('-', ' '))
}

function canonical(slot: string, value: string): string {
  return isKnown(slot) ? canonicalTechnology(value) : canonicalText(value)
}

const canonicalText = remembered(
  (value) => spellingKey(normalValue(value)).replace(/(\d) (?=[a-z%]+$)/, '$1'),
  1_000,
  300,
)

const canonicalTechnology = remembered(
  (value) => canonicalText(slotOfValue(value)?.value ?? value),
  1_000,
  300,
)

function isKnown(slot: string): boolean {
  return !slot.includes(':')
}
