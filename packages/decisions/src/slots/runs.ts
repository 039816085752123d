import { remembered } from '../remembered.ts'
import { rememberedWord, spellingKey } from './technologies.ts'

/** The characters between two blanks of a text. */
export interface Run {
  readonly text: string
  /** Facts that were computed of it, by the place of `factOf`. */
  readonly facts: unknown[]
}

const runOf = rememberedWord((text): Run => ({ text, facts: [] }))

/** Texts that were split last: their readers ask for the same one. */
const MAX_KNOWN = 32
const MAX_KNOWN_CHARS = 400

/** The runs of a text with one blank between each and the next; they are empty where several blanks stand. */
export const runsOf: (text: string) => readonly Run[] = remembered(
  (text) => text.split(' ').map(runOf),
  MAX_KNOWN,
  MAX_KNOWN_CHARS,
)

let places = 0

/** A function of runs that is computed once for each. */
export function factOf<Result extends {}>(compute: (text: string) => Result): (run: Run) => Result {
  const place = places++
  return ({ text, facts }) => {
    facts[place] ??= compute(text)
    return facts[place] as Result
  }
}

/** The words of a text in their places, by those of a run in theirs. */
export function wordsIn<Word extends { readonly start: number; readonly end: number }>(
  text: string,
  wordsOf: (run: Run) => readonly Word[],
): readonly Word[] {
  const words: Word[] = []
  let start = 0
  for (const run of runsOf(text)) {
    for (const word of wordsOf(run)) words.push({ ...word, start: start + word.start, end: start + word.end })
    start += run.text.length + 1
  }
  return words
}

/** The meaning of words: a name, the beginning of one that has more words, or neither. */
type Naming = 'names' | 'begins' | 'nothing'

/**
 * Tells at little cost that a text has no name in it. True only when that is sure.
 *
 * @param words finds the words of a text; no word has a blank.
 * @param read the meaning of words by their key (`spellingKey`), and of one word as it is written.
 */
export function createReject(
  words: RegExp,
  read: (key: string, written: string) => Naming,
): (text: string) => boolean {
  /** The meaning of a run, and the key of its first word. */
  const meaning = factOf((run): { readonly naming: Naming; readonly key: string } => {
    const found = run.match(words) ?? []
    const [first = ''] = found
    const namings = found.map((word) => read(spellingKey(word), word))
    const isNamed = namings.includes('names') || (found.length > 1 && namings.includes('begins'))
    return { naming: isNamed ? 'names' : (namings[0] ?? 'nothing'), key: spellingKey(first) }
  })
  return (text) => {
    let beginning = ''
    for (const run of runsOf(text)) {
      if (run.text === '') continue
      const { naming, key } = meaning(run)
      if (naming === 'names') return false
      if (beginning !== '') {
        const both = `${beginning} ${key}`
        if (read(both, both) !== 'nothing') return false
      }
      beginning = naming === 'begins' ? key : ''
    }
    return true
  }
}
