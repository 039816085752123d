import { countMessages, type Message, type TokenCounter } from '@palimpsest/core'
import { tailWithin } from '../arms/bounds.ts'
import { isShown } from './locate.ts'
import type { SessionReading } from './session-reading.ts'

/** Messages behind a compaction whose identifiers are looked for. */
export const MESSAGES_BEHIND = 120

/** How much of what comes to be used is still there right behind a compaction. */
export interface AfterCompaction {
  /** Tokens of the projection. */
  readonly tokens: number
  /** Identifiers that the messages behind it use and that were there before it. */
  readonly used: number
  /** How many of them the projection holds. */
  readonly held: number
  /** How many of them an equally large end of the transcript holds. */
  readonly inTail: number
  /** Tokens of that end: no call is cut in two, so that they are seldom as many. */
  readonly tailTokens: number
}

export interface AfterCompactionInput {
  readonly reading: SessionReading
  /** Index of the message that the projection was made for. */
  readonly message: number
  readonly projection: readonly Message[]
  readonly tokens: TokenCounter
}

/** Looks at the projection right behind a compaction. */
export function measureAfterCompaction({
  reading,
  message,
  projection,
  tokens,
}: AfterCompactionInput): AfterCompaction {
  const { session, sightings } = reading
  const used = usedBehind(reading, message)
  const size = countMessages(tokens, projection)
  const tail = tailWithin(session.messages.slice(0, message), size, tokens)
  const heldBy = (list: readonly Message[]): number =>
    used.filter((identifier) => isShown(identifier, list, sightings)).length
  return {
    tokens: size,
    used: used.length,
    held: heldBy(projection),
    inTail: heldBy(tail),
    tailTokens: countMessages(tokens, tail),
  }
}

/** What the next messages use that was seen before a message. */
export function usedBehind({ uses, firstSeen }: SessionReading, message: number): string[] {
  const used = new Set(uses.slice(message, message + MESSAGES_BEHIND).flatMap((each) => [...each]))
  return [...used].filter((identifier) => (firstSeen.get(identifier) ?? message) < message)
}
