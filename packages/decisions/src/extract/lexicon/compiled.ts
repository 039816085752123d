import { remembered } from '../../remembered.ts'
import { listed } from '../../slots/technologies.ts'
import { CUES, type Cue, type Lexicon } from './lexicon.ts'

/** A lexicon as the scanner asks it. */
export interface Compiled {
  readonly signs: ReadonlyMap<string, string>
  /** Beginnings of phrases of several words. */
  readonly starts: ReadonlySet<string>
  /** Nouns of settings that are verbs as well: "limit". */
  readonly nouns: ReadonlySet<string>
  /** A number with its unit, at a place. */
  readonly quantity: RegExp
  /** Whether a sentence in lower case, with spaces around it, has a phrase of `correction` in it. */
  readonly corrects: (sentence: string) => boolean
}

const known = new WeakMap<Lexicon, Compiled>()

export function compiled(lexicon: Lexicon): Compiled {
  const found = known.get(lexicon) ?? compile(lexicon)
  known.set(lexicon, found)
  return found
}

/** Length of the longest phrase of a list that a text begins with; 0 for none. */
export function phraseStart(text: string, list: string): number {
  const lower = text.toLowerCase()
  const lengths = phrasesOf(list)
    .filter((phrase) => lower.startsWith(phrase))
    .map(({ length }) => length)
    .filter((length) => !JOINED.test(text.slice(length - 1, length + 1)))
  return Math.max(0, ...lengths)
}

/** Sentences and lists that were read last: their readers ask for the same ones. */
const MAX_KNOWN = 32

const phrasesOf = remembered((list) => listed(list).map((phrase) => phrase.toLowerCase()), MAX_KNOWN)

/** Two letters of one word. */
const JOINED = /^[\p{L}\p{N}]['\p{L}\p{N}]$/u

function compile(lexicon: Lexicon): Compiled {
  const signs = new Map<string, string>()
  const starts = new Set<string>()
  const addPhrase = (phrase: string, sign: string): void => {
    if (!signs.has(phrase)) signs.set(phrase, sign)
    const parts = phrase.split(' ')
    for (let count = 1; count < parts.length; count++) starts.add(parts.slice(0, count).join(' '))
  }
  const corrections = lexicon.correction.split(';').map((phrase) => ` ${phrase.trim()}`)
  const lists = (Object.keys(CUES) as Cue[]).map((cue) => [CUES[cue], lexicon[cue] ?? ''] as const)
  for (const [sign, list] of lists) for (const phrase of listed(list)) addPhrase(phrase, sign)
  for (const phrase of listed(lexicon.correction)) if (!signs.has(phrase)) addPhrase(phrase, CUES.filler)
  return {
    signs,
    starts,
    nouns: new Set(listed(lexicon.setting ?? '')),
    quantity: quantityOf(lexicon),
    corrects: remembered((sentence) => corrections.some((phrase) => sentence.includes(phrase)), MAX_KNOWN),
  }
}

function quantityOf({ units, numbers = '' }: Lexicon): RegExp {
  const longestFirst = (list: string): string =>
    listed(list)
      .sort((a, b) => b.length - a.length)
      .map((each) => each.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
      .join('|')
  const unit = String.raw`(?:[ -]?(?:${longestFirst(units)})(?![\p{L}\p{N}_]))`
  const number = String.raw`[-+]?[$€£]?\d[\d_]*(?:[.,:]\d+)*(?:e-?\d+)?`
  const spelled =
    numbers === ''
      ? ''
      : String.raw`|(?:${longestFirst(numbers)}) (?:${longestFirst(units)})(?![\p{L}\p{N}_])`
  return new RegExp(
    String.raw`(?:${number}${unit}?(?: ?[x×–] ?\d+${unit}?)?(?![\p{L}\p{N}_/@-])${spelled})`,
    'iuy',
  )
}
