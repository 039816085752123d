/** Words that turn a sentence around; a text with another set of them says something else. */
const NEGATIONS = new Set(
  `not no never none nothing without except neither nor cannot dont don't doesnt doesn't isnt isn't wont won't shouldnt
  shouldn't cant can't avoid forbid forbidden stop nicht kein keine keinen nie niemals ohne außer ne pas jamais sans aucun
  non nunca sin ningún ninguna não nunca sem mai senza не нет никогда без ни 不 别 無 无 没 未`.split(/\s+/),
)
/** Words that say nothing about what is meant. */
const EMPTY_WORDS = new Set(
  `a an the to of in on at for and or is are be we i you it this that with as by our all please always should must will
  shall use der die das und oder wir le la les de et un une el los y o el e в на и мы это`.split(/\s+/),
)
/** Words of one text that are looked at: 300 characters have fewer. */
const MAX_WORDS = 120

/** Letters of scripts without spaces stand for themselves; a word may hold `.`, `/`, `-` and what else joins a name. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*(?:['’./:@-][\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)*/gu

/** A text as it is compared. */
export interface Words {
  /** Different words that mean something. */
  readonly words: ReadonlySet<string>
  /** The words and each pair of neighbours: `a over b` is not `b over a`. */
  readonly shingles: ReadonlySet<string>
  readonly negations: ReadonlySet<string>
}

/** The words of a text, lower case; what comes after the first 120 is left out. */
export function wordsOf(text: string): Words {
  const words = new Set<string>()
  const shingles = new Set<string>()
  const negations = new Set<string>()
  let previous: string | undefined
  let count = 0
  for (const [match] of text.normalize('NFKC').toLowerCase().matchAll(WORD)) {
    if (count++ >= MAX_WORDS) break
    const word = match.replaceAll('’', "'")
    if (NEGATIONS.has(word)) negations.add(word)
    if (EMPTY_WORDS.has(word)) continue
    words.add(word)
    shingles.add(word)
    if (previous !== undefined) shingles.add(`${previous} ${word}`)
    previous = word
  }
  return { words, shingles, negations }
}

/** The share of their words and pairs that two texts have in common, 0 to 1 (Jaccard). */
export function overlap(a: Words, b: Words): number {
  const shared = countShared(a.shingles, b.shingles)
  const all = a.shingles.size + b.shingles.size - shared
  return all === 0 ? 0 : shared / all
}

/** Share of a text's words and pairs that another must have so that the text adds nothing to it. */
const SAME_ORDER = 0.75

/**
 * Whether a text adds nothing to another: each of its words stands there, nearly always beside the same neighbour, and
 * both negate the same. A number or a name more is something new.
 */
export function saysNothingNew(text: Words, known: Words): boolean {
  if (text.words.size === 0 || countShared(text.words, known.words) < text.words.size) return false
  if (countShared(text.negations, known.negations) < Math.max(text.negations.size, known.negations.size))
    return false
  return countShared(text.shingles, known.shingles) >= SAME_ORDER * text.shingles.size
}

function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const item of a) if (b.has(item)) shared++
  return shared
}
