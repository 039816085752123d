import { InvalidMessagesError } from '@palimpsest/core'

/**
 * JSON text that is the same for equal values, whatever the order of their keys: a database may change it, and a
 * message that looks different counts as edited. Undefined for what JSON has no word for.
 *
 * @throws InvalidMessagesError for a bigint, and for an object that refers back to itself.
 */
export function stableJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, member: unknown) => sorted(member))
  } catch (error) {
    throw new InvalidMessagesError('what a tool got or gave cannot be written as JSON', { cause: error })
  }
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The value of a JSON text, as `{ value }`; undefined when it is no JSON. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
