import type { Loose } from '@palimpsest/core'

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** More nesting than real requests have, and less than recursive functions can take. */
const MAX_DEPTH = 500

export function isNestedDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth > MAX_DEPTH) return true
  if (Array.isArray(value)) return value.some((member) => isNestedDeep(member, depth + 1))
  for (const key in value) {
    const member = (value as Loose)[key]
    if (typeof member === 'object' && isNestedDeep(member, depth + 1)) return true
  }
  return false
}
