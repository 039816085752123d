import type { Identifier } from './identifier.ts'
import { estimatedTokens } from './mentions.ts'

/** An identifier with what it is worth per token of room. */
export interface RankedIdentifier extends Identifier {
  readonly score: number
}

/** Messages added to every age: within the last few, which came last says little. */
export const RECENT = 5

/** Mentions that an identifier of an earlier list stands for: it was chosen among many. */
const MENTIONS_BEFORE = 2

/**
 * What a mention predicts of the next one, some messages later: need falls with the square root of the time since a mention,
 * and mentions add up (Anderson & Schooler 1991, "Reflections of the environment in memory").
 */
export function needAfter(messages: number): number {
  return 1 / Math.sqrt(messages + RECENT)
}

/** What an identifier of an earlier list is worth per token of room, so many messages after the list was made. */
export function worthAfter(text: string, messages: number): number {
  return (MENTIONS_BEFORE * needAfter(messages)) / estimatedTokens(text)
}
