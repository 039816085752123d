import { remembered } from '../../remembered.ts'
import { listed } from '../../slots/technologies.ts'
import { CUES, type Cue, type Lexicon } from './lexicon.ts'

/** A lexicon as the scanner asks it. */
export interface Compiled {
  /** Phrases with their signs; beginnings of phrases of several words have none (`''`). */
  readonly signs: ReadonlyMap<string, string>
  /** The words that go on phrases of several words, by their first word. */
  readonly seconds: ReadonlyMap<string, ReadonlySet<string>>
  /** Nouns of settings that are verbs as well: "limit". */
  readonly nouns: ReadonlySet<string>
  /** A number with its unit, at a place. */
  readonly quantity: RegExp
  /** The first words of numbers that are spelled. */
  readonly numbers: ReadonlySet<string | undefined>
  /** The first words of phrases that give a thing another name. */
  readonly naming: ReadonlySet<string | undefined>
  /** A phrase of `correction`. */
  readonly corrects: RegExp
  /** Each proposal of an assistant has it: a phrase of one of the cues `OFFERING`, or a question mark. */
  readonly offers: RegExp
}

/** Between two words of a phrase, in a text as it was written: the scanner sees a blank in place of some signs, all of them here. */
const BETWEEN = '[^a-z]{0,3}'
const OFFERING: readonly Cue[] = ['speaker', 'suggest', 'hedge', 'question']

const NAMING: readonly Cue[] = ['rename', 'named', 'becomes']

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

/** Lists that were read last: their readers ask for the same ones. */
const MAX_KNOWN = 32

const phrasesOf = remembered((list) => listed(list).map((phrase) => phrase.toLowerCase()), MAX_KNOWN)

/** Two letters of one word. */
const JOINED = /^[\p{L}\p{N}]['\p{L}\p{N}]$/u

function compile(lexicon: Lexicon): Compiled {
  const signs = new Map<string, string>()
  const seconds = new Map<string, Set<string>>()
  const addPhrase = (phrase: string, sign: string): void => {
    if (!signs.get(phrase)) signs.set(phrase, sign)
    const parts = phrase.split(' ')
    const [first = '', second] = parts
    if (second !== undefined) seconds.set(first, (seconds.get(first) ?? new Set()).add(second))
    for (let count = 1; count < parts.length; count++) {
      const start = parts.slice(0, count).join(' ')
      if (!signs.has(start)) signs.set(start, '')
    }
  }
  const offering = anyOf(OFFERING.flatMap((cue) => listed(lexicon[cue] ?? '')))
    .replaceAll("'", "['’ʼ]")
    .replaceAll(' ', BETWEEN)
  const lists = (Object.keys(CUES) as Cue[]).map((cue) => [CUES[cue], lexicon[cue] ?? ''] as const)
  for (const [sign, list] of lists) for (const phrase of listed(list)) addPhrase(phrase, sign)
  for (const phrase of listed(lexicon.correction)) addPhrase(phrase, CUES.filler)
  return {
    signs,
    seconds,
    nouns: new Set(listed(lexicon.setting ?? '')),
    quantity: quantityOf(lexicon),
    numbers: firstWords(lexicon.numbers),
    naming: firstWords(NAMING.map((cue) => lexicon[cue]).join(';')),
    corrects: new RegExp(`(?:^| )(?:${anyOf(listed(lexicon.correction))})(?![a-z\\d])`, 'i'),
    offers: new RegExp(`\\?|(?<![\\p{L}\\p{N}\\p{M}_])(?:${offering})(?![\\p{L}\\p{N}\\p{M}_])`, 'iu'),
  }
}

function firstWords(list = ''): ReadonlySet<string | undefined> {
  return new Set(listed(list).map((phrase) => phrase.split(' ')[0]))
}

/** An alternative of an expression for each text, the longest first. */
function anyOf(texts: readonly string[]): string {
  return [...texts]
    .sort((a, b) => b.length - a.length)
    .map((each) => each.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
    .join('|')
}

function quantityOf({ units, numbers = '' }: Lexicon): RegExp {
  const unit = String.raw`(?:[ -]?(?:${anyOf(listed(units))})(?![\p{L}\p{N}_]))`
  const number = String.raw`[-+]?[$€£]?\d[\d_]*(?:[.,:]\d+)*(?:e-?\d+)?`
  const spelled =
    numbers === ''
      ? ''
      : String.raw`|(?:${anyOf(listed(numbers))}) (?:${anyOf(listed(units))})(?![\p{L}\p{N}_])`
  return new RegExp(
    String.raw`(?:${number}${unit}?(?: ?[x×–] ?\d+${unit}?)?(?![\p{L}\p{N}_/@-])${spelled})`,
    'iuy',
  )
}
