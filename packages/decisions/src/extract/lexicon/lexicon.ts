/**
 * The cues of a language, by what they do, each with the sign that stands for it in a sentence's signs. Readers look at signs and
 * never at words, so a language is nothing but lists.
 */
export const CUES = {
  /** Says nothing: "ok", "then", "please". */
  filler: 'f',
  /** Whose choice it is: "we", "let's". */
  speaker: 's',
  /** Between the speaker and the verb: "will", "want to". */
  will: 'm',
  choose: 'U',
  /** Chooses with what follows its object: "write the app in", "store it in". */
  build: 'S',
  change: 'C',
  replace: 'R',
  end: 'D',
  /** Before what is not taken: "instead of". */
  instead: 'o',
  from: 'F',
  to: 't',
  /** Between the old and the new: "becomes". */
  becomes: 'j',
  /** Behind what is not taken any more: "is gone". */
  gone: 'g',
  /** Behind what is taken: "it is", "is our choice". What only compares ("works better", "wins") takes nothing. */
  wins: 'w',
  /** Before what something is for: "for", "as". */
  purpose: 'P',
  /** Before where something is: "in", "on". */
  place: 'p',
  determiner: 'd',
  and: 'a',
  or: 'v',
  not: 'n',
  is: 'i',
  /** Heads of a list: "stack", "decision". */
  label: 'l',
  suggest: 'G',
  hedge: 'h',
  condition: 'c',
  /** Hearsay: "says", "recommends". */
  reports: 'e',
  past: 'z',
  /** Things that are not the project's own, or only at hand: "their", "this". */
  foreign: 'y',
  time: 'k',
  but: 'b',
  because: 'u',
  question: 'q',
  always: 'A',
  never: 'N',
  must: 'M',
  every: 'V',
  without: 'O',
  /** "at most". */
  bound: 'H',
  /** "is limited to". */
  limited: 'L',
  /** Nouns that have a number: "timeout", "retries". */
  setting: 'Z',
  rename: 'Y',
  named: 'W',
} as const

export type Cue = keyof typeof CUES

/** One language. Phrases are lower case and separated by `;`. */
export interface Lexicon extends Readonly<Partial<Record<Cue, string>>> {
  /** Units of numbers. */
  readonly units: string
  /** Numbers as words, before a unit. */
  readonly numbers?: string
  /** Answers that take up what was offered, and that do not. */
  readonly yes: string
  readonly no: string
  /** Words that take back what was said before: "actually", "correction". */
  readonly correction: string
}
