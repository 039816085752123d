import type { Message } from '@palimpsest/core'
import { textOf } from './message-text.ts'
import { createNameFinder } from './name-finder.ts'

/** The identifiers that a message shows, each with the share of the message's text before its last place there. */
export type Sighting = ReadonlyMap<string, number>

/** Which identifiers stand in which messages: of the transcript, of projections and of summaries alike. */
export interface Sightings {
  /** What a message shows, in text or in arguments. Found once for each message object. */
  in(message: Message): Sighting
  /** What a text shows. */
  inText(text: string): Sighting
}

/**
 * Looks for identifiers in messages. An identifier is seen where it stands as a whole word: `AshSqlite` in
 * `AshSqlite.DataLayer`, `src/a.ts` in `/work/src/a.ts`. Costs one walk over the words of each message (see
 * `createNameFinder`), so a session of 10,000 messages and 20,000 identifiers is read in time linear in its text.
 */
export function createSightings(identifiers: Iterable<string>, messages: readonly Message[]): Sightings {
  const finder = createNameFinder(identifiers, messages.map(textOf))
  const known = new WeakMap<Message, Sighting>()
  const inText = (text: string): Sighting => {
    const found = new Map<string, number>()
    for (const [identifier, offset] of finder.find(text)) found.set(identifier, offset / text.length)
    return found
  }
  return {
    inText,
    in(message) {
      const sighting = known.get(message) ?? inText(textOf(message))
      known.set(message, sighting)
      return sighting
    },
  }
}
