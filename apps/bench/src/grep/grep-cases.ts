import type { Message } from '@palimpsest/core'
import pairs from '../../data/synonyms.json' with { type: 'json' }
import { identifiersOf } from '../recall/identifiers.ts'
import { indexOfName, passedIn, textOf } from '../recall/whole-word.ts'
import { createRandom, shuffle } from '../workload/vocabulary.ts'

/** Everyday words of work on software, two of one meaning in each entry. The engines do not read them. */
export const SYNONYMS = pairs.map((pair) => pair.split(' '))

/** A fact of a session, and words that stand near it. */
export interface GrepCase {
  readonly message: number
  /** The identifier that a hit has to show. */
  readonly identifier: string
  /** Two to four words from around it, none of them a part of it, which stand together in five messages at most. */
  readonly words: string
  /** The same with one word replaced by a synonym; null when none of them has one. */
  readonly replaced: string | null
}

/** Characters on each side of an identifier from which words are taken. */
const NEAR = 160
/** Words that stand near each other in more messages than that single out none of them, and no search can. */
const MOST_PLACES = 5
const WORD = /(?<![\w./-])\p{L}{4,}(?![\w./-])/gu

const other = new Map(SYNONYMS.flatMap(([a = '', b = '']) => [[a, b] as const, [b, a] as const]))

/** Cases of a session, spread over it; the same for the same seed. */
export function grepCases(messages: readonly Message[], cases: number, seed: number): GrepCase[] {
  const random = createRandom(seed)
  const texts = messages.map((message) => textOf(message).toLowerCase())
  const found: GrepCase[] = []
  for (let tried = 0; found.length < cases && tried < cases * 20; tried++) {
    const message = random.int(0, messages.length - 1)
    const given = messages[message]
    if (given === undefined || given.role === 'system') continue
    const text = textOf(given)
    const identifier = random.pick([...identifiersOf(text, passedIn(given))]) as string | undefined
    const at = identifier === undefined ? -1 : indexOfName(text, identifier)
    if (identifier === undefined || at < 0) continue
    const end = at + identifier.length
    const before = text.slice(Math.max(0, at - NEAR), at).replace(/^\S+/, '')
    const near = `${before} ${text.slice(end, end + NEAR).replace(/\S+$/, '')}`
    const words = [...new Set(Array.from(near.matchAll(WORD), ([word]) => word.toLowerCase()))]
    const chosen = shuffle(words, random).slice(0, random.int(2, 4))
    if (chosen.length < 2 || countNear(texts, chosen) > MOST_PLACES) continue
    const withSynonym = chosen.find((word) => other.has(word))
    found.push({
      message,
      identifier,
      words: chosen.join(' '),
      replaced:
        withSynonym === undefined
          ? null
          : chosen.map((word) => (word === withSynonym ? other.get(word) : word)).join(' '),
    })
  }
  return found
}

/** In how many texts all words stand in one stretch as long as the one that they were taken from. */
function countNear(texts: readonly string[], words: readonly string[]): number {
  return texts.filter((text) => words.every((word) => text.includes(word)) && standTogether(text, words))
    .length
}

function standTogether(text: string, words: readonly string[]): boolean {
  const [first = '', ...others] = words
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    const around = text.slice(Math.max(0, at - 2 * NEAR), at + first.length + 2 * NEAR)
    if (others.every((word) => around.includes(word))) return true
  }
  return false
}
