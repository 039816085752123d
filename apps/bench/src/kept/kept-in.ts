import { type Message, messageText } from '@palimpsest/core'
import { identifiersOf } from '../recall/identifiers.ts'
import { textOf } from '../recall/message-text.ts'
import { placesOf } from '../recall/whole-word.ts'
import type { KeptReading, Pair } from './kept-reading.ts'

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
