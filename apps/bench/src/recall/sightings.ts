import type { Message } from '@palimpsest/core'
import { textOf } from './message-text.ts'
import { createNameFinder } from './name-finder.ts'

/** Which identifiers stand in which messages: of the transcript, of projections and of summaries alike. */
export interface Sightings {
  /** What a message shows, in text or in arguments. Found once for each message object. */
  in(message: Message): ReadonlySet<string>
  /** What a text shows. */
  inText(text: string): ReadonlySet<string>
}

/**
 * Looks for identifiers in messages. An identifier is seen where it stands as a whole word: `AshSqlite` in
 * `AshSqlite.DataLayer`, `src/a.ts` in `/work/src/a.ts`. Costs one walk over the words of each message (see
 * `createNameFinder`), so a session of 10,000 messages and 20,000 identifiers is read in time linear in its text.
 */
export function createSightings(identifiers: Iterable<string>, messages: readonly Message[]): Sightings {
  const finder = createNameFinder(identifiers, messages.map(textOf))
  const known = new WeakMap<Message, ReadonlySet<string>>()
  const inText = (text: string): ReadonlySet<string> => finder.find(text)
  return {
    inText,
    in(message) {
      const sighting = known.get(message) ?? inText(textOf(message))
      known.set(message, sighting)
      return sighting
    },
  }
}
