import type { Message } from '@palimpsest/core'
import type { PrefixHashes } from './prefix-hashes.ts'

/**
 * The real messages where a client saw one answer: calls of the engine's tools with their results, the answer, and
 * the results of calls that were made beside the client's.
 */
export type HiddenAnswer = readonly Message[]

/** By the hash of the client's list up to and with the answer. */
export type HiddenAnswers = ReadonlyMap<string, HiddenAnswer>

/**
 * The client's list with what it never saw: the transcript only grows, and the provider's prefix stays the same.
 *
 * @param prefix that of the client's list.
 */
export function restoreHidden(
  messages: readonly Message[],
  prefix: PrefixHashes,
  hidden: HiddenAnswers,
): readonly Message[] {
  if (hidden.size === 0) return messages
  const instructions = messages.length - prefix.hashes.length
  return messages.flatMap((message, index) => {
    const hash = index < instructions ? undefined : prefix.hashes.at(index - instructions)
    return (hash === undefined ? undefined : hidden.get(hash)) ?? [message]
  })
}

/** Which answers do not belong to a list any more, by their hashes: they were edited away. */
export function editedAway(hidden: HiddenAnswers, { hashes }: PrefixHashes): readonly string[] {
  if (hidden.size === 0) return []
  const known = new Set(hashes.slice())
  return [...hidden.keys()].filter((hash) => !known.has(hash))
}
