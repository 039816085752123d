/**
 * A JSON value with every lone surrogate in its texts and keys replaced by U+FFFD. Tokenizers, protocol buffers and
 * servers work on valid Unicode only, so one emoji that was cut in a tool result would have the whole request refused.
 */
export function wellFormed<T>(value: T): T {
  return repaired(value) as T
}

function repaired(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(repaired)
  if (typeof value !== 'object' || value === null) return value
  // fromEntries defines members, so that a key named __proto__ stays a key.
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.toWellFormed(), repaired(member)]),
  )
}
