import { equalValues, isSummary, type Message } from '@palimpsest/core'

/** The introduction of a summary in parts, and the first text that says something. */
const LEADING_PARTS = 2

/**
 * Whether a compaction only appended to a summary in parts: what stands in front of the new part is in a provider's
 * cache and stays there, unless the block before it changes.
 */
export function keepsSummaries(before: readonly Message[], after: readonly Message[]): boolean {
  const [old, now] = [leadingParts(before), leadingParts(after)]
  return old !== undefined && now !== undefined && equalValues(old, now)
}

function leadingParts(messages: readonly Message[]): readonly unknown[] | undefined {
  const content = messages.find(isSummary)?.content
  return Array.isArray(content) && content.length > LEADING_PARTS
    ? content.slice(0, LEADING_PARTS)
    : undefined
}
