/**
 * Replaces lone surrogates in a JSON value's texts and keys by U+FFFD. Providers accept only valid Unicode, so one
 * emoji cut in a tool result would make them refuse the request.
 */
export function wellFormed<T>(value: T): T {
  return repaired(value) as T
}

function repaired(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(repaired)
  if (typeof value !== 'object' || value === null) return value
  // fromEntries defines members, so a key named __proto__ stays a key.
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.toWellFormed(), repaired(member)]),
  )
}
