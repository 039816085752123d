/**
 * Structural equality of JSON-like values. A key whose value is `undefined` counts as absent, as it does on
 * the wire. Strings are compared by the engine's own comparison, so an unchanged history costs microseconds.
 */
export function equalValues(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  if (Array.isArray(a)) {
    const other = b as readonly unknown[]
    return a.length === other.length && a.every((value, index) => equalValues(value, other[index]))
  }
  const left = a as Record<string, unknown>
  const right = b as Record<string, unknown>
  for (const key in left) if (left[key] !== undefined && !equalValues(left[key], right[key])) return false
  for (const key in right) if (right[key] !== undefined && left[key] === undefined) return false
  return true
}
