import type { Message } from '../spec/v1/message.ts'
import { jsonForm } from './json-value.ts'

/**
 * True for two values that JSON would write alike, whatever the order of their keys: a member that is
 * `undefined` counts as absent, a date equals its text. Texts are compared by the machine's own comparison, so
 * an unchanged history costs microseconds. For values without cycles.
 */
export function equalValues(a: unknown, b: unknown): boolean {
  if (a === b) return true
  const left = jsonForm(a)
  const right = jsonForm(b)
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return left === right
  if (Array.isArray(left) || Array.isArray(right)) return equalLists(left, right)
  return equalObjects(left as Members, right as Members)
}

type Members = Readonly<Record<string, unknown>>

function equalLists(left: unknown, right: unknown): boolean {
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
  for (let index = 0; index < left.length; index++) {
    // JSON writes null in the place of what it leaves out of objects.
    if (!equalValues(jsonForm(left[index]) ?? null, jsonForm(right[index]) ?? null)) return false
  }
  return true
}

function equalObjects(left: Members, right: Members): boolean {
  const [keys, others] = [Object.keys(left), Object.keys(right)]
  let isWhole = keys.length === others.length
  for (const key of keys) {
    const other = own(right, key)
    if (other === undefined) isWhole = false
    if (!equalValues(left[key], other)) return false
  }
  if (isWhole) return true
  for (const key of others) {
    if (own(left, key) === undefined && jsonForm(right[key]) !== undefined) return false
  }
  return true
}

/** A member of the object itself: a key named `constructor` is not found on the prototype. */
function own(value: Members, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

/** Index of the first message that differs between two lists; their common length if none does. */
export function changedFrom(before: readonly Message[], after: readonly Message[]): number {
  const length = Math.min(before.length, after.length)
  for (let index = 0; index < length; index++) {
    if (!equalValues(before[index], after[index])) return index
  }
  return length
}
