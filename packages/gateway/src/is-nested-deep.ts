/**
 * The deepest nesting of lists and objects: more than real requests have, and less than recursive functions can take.
 */
const MAX_DEPTH = 500

/** Whether a JSON value is nested so deep that it cannot be compared, copied or written. */
export function isNestedDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
    if (level.length === 0) return false
  }
  return true
}
