/** How JSON text writes half of a character that has lost its other half. */
const loneSurrogate = /\\ud[89a-f]/i

/**
 * The same JSON value with every lone surrogate replaced by U+FFFD; the same object when there is none. Tokenizers
 * and servers work on valid Unicode only, so one cut emoji in a tool result would have the whole request refused.
 */
export function wellFormed<T>(value: T): T {
  const text = JSON.stringify(value)
  if (!loneSurrogate.test(text)) return value
  return JSON.parse(text, (_key, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed() : member,
  )
}
