import { InvalidMessagesError } from '@palimpsest/core'

/**
 * JSON text with sorted keys: a database may reorder keys, and a message that looks different counts as edited.
 * Undefined for a value that JSON cannot express.
 *
 * @throws InvalidMessagesError for a bigint or a cycle.
 */
export function stableJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, member: unknown) => sorted(member))
  } catch (error) {
    throw new InvalidMessagesError("a tool's input or output cannot be written as JSON; use plain data", {
      cause: error,
    })
  }
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
