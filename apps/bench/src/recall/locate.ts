import type { Message, TokenCounter } from '@palimpsest/core'
import type { Sightings } from './sightings.ts'

/** True when a message of a list shows an identifier. */
export function isShown(identifier: string, messages: readonly Message[], sightings: Sightings): boolean {
  return messages.some((message) => sightings.in(message).has(identifier))
}

/**
 * Finds identifiers in a prompt: the share of its tokens before the last place of each, 0 to 1; null for one that is not
 * there. Within a message, tokens count as spread evenly over its characters.
 */
export function createLocator(
  messages: readonly Message[],
  { sightings, tokens }: { readonly sightings: Sightings; readonly tokens: TokenCounter },
): (identifier: string) => number | null {
  const starts: number[] = []
  let total = 0
  for (const message of messages) {
    starts.push(total)
    total += tokens.countMessage(message)
  }
  return (identifier) => {
    const index = messages.findLastIndex((message) => sightings.in(message).has(identifier))
    const message = messages[index]
    if (message === undefined) return null
    const start = starts[index] ?? 0
    const within = (sightings.in(message).get(identifier) ?? 0) * ((starts[index + 1] ?? total) - start)
    return (start + within) / total
  }
}
