/** Half of a character that has lost its other half. With the `u` flag, pairs do not match. */
const loneSurrogate = /\p{Surrogate}/gu

/**
 * The same JSON-like value with every lone surrogate replaced by U+FFFD. Protocol buffers hold valid Unicode only,
 * so one cut emoji in a tool result would have the whole request refused.
 */
export function wellFormed<T>(value: T): T {
  return repair(value) as T
}

function repair(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(loneSurrogate, '\uFFFD')
  if (Array.isArray(value)) return value.map(repair)
  if (typeof value !== 'object' || value === null) return value
  // fromEntries defines members, so that a key named __proto__ stays a key.
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.replace(loneSurrogate, '\uFFFD'), repair(member)]),
  )
}
