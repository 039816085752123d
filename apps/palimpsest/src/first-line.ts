import { errorText } from '@palimpsest/core'

/** The first line of what an error says: what it adds below is for its author. */
export function firstLine(error: unknown): string {
  return errorText(error).split('\n', 1)[0] ?? ''
}
