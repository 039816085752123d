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
  for (const key in value) if (isNestedDeep(Reflect.get(value, key), depth + 1)) return true
  return false
}
