import type { Message } from '@palimpsest/core'
import { textOf } from './message-text.ts'
import { isWhole, wordsOf } from './whole-word.ts'

/** Which identifiers stand in which messages: of the transcript, of projections and of summaries alike. */
export interface Sightings {
  /** What a message shows, in text or in arguments. Found once for each message object. */
  in(message: Message): ReadonlySet<string>
  inText(text: string): ReadonlySet<string>
}

/** An identifier is seen where it stands as a whole word. Each message is walked once: linear in the text. */
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

interface NameFinder {
  find(text: string): Set<string>
}

/** The word of a name that is looked for, and the characters of the name before it. */
interface Anchor {
  readonly name: string
  readonly lead: number
}

/** Looks for each name at its rarest word (by `texts`) and compares there: one walk over the words for all names. */
export function createNameFinder(names: Iterable<string>, texts: Iterable<string>): NameFinder {
  const list = [...new Set(names)]
  const counts = new Map<string, number>()
  for (const name of list) for (const [word] of wordsOf(name)) counts.set(word, 0)
  for (const text of texts) {
    for (const [word] of wordsOf(text)) {
      const count = counts.get(word)
      if (count !== undefined) counts.set(word, count + 1)
    }
  }
  const anchors = new Map<string, Anchor[]>()
  for (const name of list) {
    const [rarest] = [...wordsOf(name)].sort(([a], [b]) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0))
    if (rarest === undefined) continue
    const anchored = anchors.get(rarest[0])
    const anchor = { name, lead: rarest.index }
    if (anchored === undefined) anchors.set(rarest[0], [anchor])
    else anchored.push(anchor)
  }
  return { find: (text) => findNames(text, anchors) }
}

function findNames(text: string, anchors: ReadonlyMap<string, readonly Anchor[]>): Set<string> {
  const found = new Set<string>()
  for (const { 0: word, index } of wordsOf(text)) {
    for (const { name, lead } of anchors.get(word) ?? []) {
      const start = index - lead
      if (start < 0 || !text.startsWith(name, start)) continue
      if (isWhole(text, start, start + name.length)) found.add(name)
    }
  }
  return found
}
