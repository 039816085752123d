import type { Random } from '../workload/random.ts'

/** Makes names and numbers, each once. */
export interface Naming {
  /** Six lower-case letters or more, no word of a language. */
  word(): string
  /** A number with three or four digits. */
  number(): number
}

const CONSONANTS = [...'bdfgklmnprstvz']
const VOWELS = [...'aeiou']

/** Names and numbers that no two things of a dialogue share. */
export function createNaming(random: Random): Naming {
  const used = new Set<string | number>()
  const fresh = <T extends string | number>(make: () => T): T => {
    const made = make()
    if (used.has(made)) return fresh(make)
    used.add(made)
    return made
  }
  const syllable = (): string => random.pick(CONSONANTS) + random.pick(VOWELS)
  return {
    word: () => fresh(() => Array.from({ length: 4 }, syllable).join('')),
    number: () => fresh(() => random.int(101, 4999)),
  }
}
