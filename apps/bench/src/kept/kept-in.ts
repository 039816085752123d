import { type Message, messageText } from '@palimpsest/core'
import { identifiersOf } from '../recall/identifiers.ts'
import { isWhole, passedIn, placesOf, textOf, wordsOf } from '../recall/whole-word.ts'

/** Characters within which two names are seen together. */
const NEAR = 240
/** A line of at least three names is a list when its other words have less than this share of the names' characters. */
const LEAST_WORDS = 0.35
/** Characters of a message of the user that is more than a nod, and of its beginning that must stand in the projection. */
const LEAST_SAID = 12
const BEGINNING = 60
/** A host put these into the user's mouth. */
const INJECTED = /^(?:<|\[Request interrupted|Caveat:|This session is being continued)/

export interface Kept {
  readonly names: readonly boolean[]
  readonly relations: readonly boolean[]
  readonly words: readonly boolean[]
}

export interface Asked {
  readonly names: readonly string[]
  readonly pairs: readonly Pair[]
  readonly words: readonly string[]
}

/** The cases at one compaction, which was made for the message with that index. */
export function askedAt(reading: KeptReading, message: number): Asked {
  return {
    names: reading.namesBehind(message),
    pairs: reading.pairsBehind(message),
    words: usersWords(reading.messages.slice(0, message)),
  }
}

export function keptIn(
  projection: readonly Message[],
  { names, pairs, words }: Asked,
  { sightings }: KeptReading,
): Kept {
  const plain = oneLine(projection.map(textOf).join('\n'))
  return {
    names: names.map((name) => projection.some((message) => sightings.in(message).has(name))),
    relations: arePairsShown(pairs, projection),
    words: words.map((each) => plain.includes(each)),
  }
}

export function usersWords(messages: readonly Message[]): string[] {
  return messages
    .filter(({ role }) => role === 'user')
    .map((message) => oneLine(messageText(message)))
    .filter((text) => text.length > LEAST_SAID && !INJECTED.test(text))
    .map((text) => text.slice(0, BEGINNING))
}

/** A text without the lines that are nothing but lists of names: they relate nothing. */
export function withoutLists(text: string): string {
  return text
    .split('\n')
    .filter((line) => !isList(line))
    .join('\n')
}

function isList(line: string): boolean {
  const names = [...identifiersOf(line)].sort((one, other) => other.length - one.length)
  if (names.length < 3) return false
  const rest = names.reduce((text, name) => text.replaceAll(name, ' '), line)
  const words = rest.match(/\p{L}{3,}/gu)?.join('').length ?? 0
  return words < LEAST_WORDS * names.join('').length
}

function arePairsShown(pairs: readonly Pair[], projection: readonly Message[]): boolean[] {
  const names = new Set(pairs.flat())
  const places = projection.map((message) => {
    const text = withoutLists(textOf(message))
    return new Map([...names].map((name) => [name, placesOf(text, name)]))
  })
  const isNear = ([one, other]: Pair, found: ReadonlyMap<string, readonly number[]>): boolean =>
    found.get(one)?.some((at) => found.get(other)?.some((place) => Math.abs(at - place) <= NEAR)) ?? false
  return pairs.map((pair) => places.some((found) => isNear(pair, found)))
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Messages behind a compaction that are looked at. */
const MESSAGES_BEHIND = 120
/** Names of a line that have to do with each other; more are a listing. */
const MOST_NAMES = 12
/** Characters of a line that may show a pair: a longer one is data. */
const MOST_CHARACTERS = 20_000

export type Pair = readonly [string, string]

export type KeptReading = ReturnType<typeof readForKept>

/** Linear in the text of the session, but for the pairs of a line. */
export function readForKept(messages: readonly Message[]) {
  const uses = messages.map(usedBy)
  const pairs = messages.map((message) => (isTalk(message) ? pairsOf(textOf(message)) : new Set<string>()))
  const sightings = createSightings(new Set(uses.flatMap((used) => [...used])), messages)
  const known = new Set(pairs.flatMap((each) => [...each]))
  const partners = Map.groupBy(Array.from(known, pairOf), ([one]) => one)
  const nameSeen = new Map<string, number>()
  const pairSeen = new Map<string, number>()
  for (const [index, message] of messages.entries()) {
    for (const name of sightings.in(message)) if (!nameSeen.has(name)) nameSeen.set(name, index)
    for (const line of textOf(message).split('\n')) {
      if (line.length > MOST_CHARACTERS) continue
      const found = sightings.inText(line)
      for (const name of found.size > 1 ? found : [])
        for (const [, other] of partners.get(name) ?? [])
          if (found.has(other) && !pairSeen.has(key(name, other))) pairSeen.set(key(name, other), index)
    }
  }
  return {
    messages,
    sightings,
    /** Names that users' and the assistant's messages use before a compaction's message shows them again, and knew before it. */
    namesBehind(from: number): string[] {
      const shown = new Set<string>()
      const needed = new Set<string>()
      for (const [offset, message] of messages.slice(from, from + MESSAGES_BEHIND).entries()) {
        for (const name of uses[from + offset] ?? [])
          if (!shown.has(name) && (nameSeen.get(name) ?? from) < from) needed.add(name)
        for (const name of sightings.in(message)) shown.add(name)
      }
      return [...needed]
    },
    /** Pairs that a line of theirs uses together, and that stood in one line before. */
    pairsBehind(from: number): Pair[] {
      const used = new Set(pairs.slice(from, from + MESSAGES_BEHIND).flatMap((each) => [...each]))
      return [...used].filter((pair) => (pairSeen.get(pair) ?? from) < from).map(pairOf)
    },
  }
}

const usedBy = (message: Message): Set<string> =>
  isTalk(message) ? identifiersOf(messageText(message), passedIn(message)) : new Set()

const isTalk = ({ role }: Message): boolean => role === 'user' || role === 'assistant'

/** Pairs of names that stand in one line of a text; a name that is a part of the other makes no pair. */
function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>()
  for (const line of text.split('\n')) {
    const names = [...identifiersOf(line)]
    if (names.length > MOST_NAMES) continue
    for (const [at, name] of names.entries())
      for (const other of names.slice(at + 1))
        if (!name.includes(other) && !other.includes(name)) pairs.add(key(name, other))
  }
  return pairs
}

/** Names hold no line break. */
const key = (one: string, other: string): string => (one < other ? `${one}\n${other}` : `${other}\n${one}`)

function pairOf(pair: string): Pair {
  const [one = '', other = ''] = pair.split('\n')
  return [one, other]
}

/** An identifier is seen where it stands as a whole word. Each message is walked once: linear in the text. */
function createSightings(identifiers: Iterable<string>, messages: readonly Message[]) {
  const finder = createNameFinder(identifiers, messages.map(textOf))
  const known = new WeakMap<Message, ReadonlySet<string>>()
  const inText = (text: string): ReadonlySet<string> => finder.find(text)
  return {
    inText,
    in(message: Message): ReadonlySet<string> {
      const sighting = known.get(message) ?? inText(textOf(message))
      known.set(message, sighting)
      return sighting
    },
  }
}

type Anchor = { readonly name: string; readonly lead: number }

/** Looks for each name at its rarest word (by `texts`) and compares there: one walk over the words for all names. */
export function createNameFinder(names: Iterable<string>, texts: Iterable<string>) {
  const list = [...new Set(names)]
  const counts = new Map<string, number>()
  for (const name of list) for (const [word] of wordsOf(name)) counts.set(word, 0)
  for (const text of texts) {
    for (const [word] of wordsOf(text)) {
      const count = counts.get(word)
      if (count !== undefined) counts.set(word, count + 1)
    }
  }
  const anchors = list.flatMap((name) => {
    const [rarest] = [...wordsOf(name)].sort(([a], [b]) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0))
    return rarest === undefined ? [] : [{ name, word: rarest[0], lead: rarest.index }]
  })
  const byWord = Map.groupBy(anchors, ({ word }) => word)
  return { find: (text: string): Set<string> => findNames(text, byWord) }
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
