import { listed } from '../../slots/technologies.ts'
import { ENGLISH } from './english.ts'
import { CUES, type Cue, type Lexicon } from './lexicon.ts'
import { LEXICONS } from './lexicons.ts'

/** A lexicon as the scanner asks it. */
export interface Compiled {
  readonly signs: ReadonlyMap<string, string>
  /** Beginnings of phrases of several words. */
  readonly starts: ReadonlySet<string>
  /** Nouns of settings that are verbs as well: "limit". */
  readonly nouns: ReadonlySet<string>
  readonly words: ReadonlySet<string>
  readonly longest: number
  readonly isWide: boolean
  /** A number with its unit, at a place. */
  readonly quantity: RegExp
}

const known = new WeakMap<Lexicon, Compiled>()

export function compiled(lexicon: Lexicon): Compiled {
  const found = known.get(lexicon) ?? compile(lexicon)
  known.set(lexicon, found)
  return found
}

/** The lexicon of the language that a text is written in: by its letters, then by how many of its words are known. */
export function lexiconOf(text: string, lexicons: readonly Lexicon[] = LEXICONS): Lexicon {
  const written = lexicons.find(({ script }) => script?.test(text))
  if (written !== undefined) return written
  const words =
    text
      .slice(0, 400)
      .toLowerCase()
      .match(/\p{L}{2,}/gu) ?? []
  let best = lexicons[0] ?? ENGLISH
  let most = 0
  for (const lexicon of lexicons) {
    if (lexicon.script !== undefined) continue
    const { words: own } = compiled(lexicon)
    const count = words.filter((word) => own.has(word)).length
    if (count > most) [best, most] = [lexicon, count]
  }
  return best
}

/** How long the longest phrase of a list is that a text begins with; 0 for none. */
export function phraseStart(text: string, list: string): number {
  const lower = text.toLowerCase()
  const lengths = listed(list)
    .filter((phrase) => lower.startsWith(phrase.toLowerCase()))
    .map(({ length }) => length)
    .filter((length) => !JOINED.test(text.slice(length - 1, length + 1)))
  return Math.max(0, ...lengths)
}

/** Two letters of one word, in a script with spaces. */
const JOINED = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{N}]['\p{Script=Latin}\p{Script=Cyrillic}\p{N}]$/u

function compile(lexicon: Lexicon): Compiled {
  const signs = new Map<string, string>()
  const starts = new Set<string>()
  const words = new Set<string>()
  const addPhrase = (phrase: string, sign: string): void => {
    if (!signs.has(phrase)) signs.set(phrase, sign)
    const parts = phrase.split(' ')
    for (let count = 1; count < parts.length; count++) starts.add(parts.slice(0, count).join(' '))
  }
  const lists = (Object.keys(CUES) as Cue[]).map((cue) => [CUES[cue], lexicon[cue] ?? ''] as const)
  for (const [sign, list] of lists) for (const phrase of listed(list)) addPhrase(phrase, sign)
  for (const phrase of listed(lexicon.correction)) if (!signs.has(phrase)) addPhrase(phrase, CUES.filler)
  for (const list of [
    ...lists.map(([, list]) => list),
    lexicon.yes,
    lexicon.no,
    lexicon.correction,
    lexicon.slots ?? '',
    lexicon.ordinals,
  ])
    for (const word of list.match(/\p{L}{2,}/gu) ?? []) words.add(word)
  return {
    signs,
    starts,
    nouns: new Set(listed(lexicon.setting ?? '')),
    words,
    longest: Math.max(0, ...[...signs.keys()].map((phrase) => phrase.length)),
    isWide: lexicon.isWide === true,
    quantity: quantityOf(lexicon),
  }
}

function quantityOf({ units, numbers = '' }: Lexicon): RegExp {
  const longestFirst = (list: string): string =>
    listed(list)
      .sort((a, b) => b.length - a.length)
      .map((each) => each.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
      .join('|')
  const unit = String.raw`(?:[ -]?(?:${longestFirst(units)})(?![\p{Script=Latin}\p{Script=Cyrillic}\p{N}_]))`
  const number = String.raw`[-+]?[$€£]?\d[\d_]*(?:[.,:]\d+)*(?:e-?\d+)?`
  const spelled =
    numbers === ''
      ? ''
      : String.raw`|(?:${longestFirst(numbers)}) (?:${longestFirst(units)})(?![\p{L}\p{N}_])`
  return new RegExp(
    String.raw`(?:${number}${unit}?(?: ?[x×–] ?\d+${unit}?)?(?![\p{Script=Latin}\p{N}_/@-])${spelled})`,
    'iuy',
  )
}
