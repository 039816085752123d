import { lazily } from '@palimpsest/core/options'
import { remembered } from '../remembered.ts'
import { SLOTS } from './slot-table.ts'

/** A name that fills a slot: a technology, or a convention that has a name. */
export interface Technology {
  /** As its makers write it. */
  readonly name: string
  /** Where it goes when nothing around it says more, and the other slots that it can fill. */
  readonly slots: readonly string[]
  /** True for an everyday word, which needs more than its letters to count. */
  readonly everyday: boolean
}

/** Spellings that are remembered, and their longest: a text uses few words, again and again. */
const MAX_KEYS = 4096
const MAX_KEY_CHARS = 40

/** A function of words that remembers its results. */
export const rememberedWord = <Result extends {}>(compute: (word: string) => Result) =>
  remembered(compute, MAX_KEYS, MAX_KEY_CHARS)

/** A spelling for comparison: lower case; hyphens, underscores and white space alike. */
export const spellingKey = rememberedWord((text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim(),
)

/** Every spelling (`spellingKey`) with what it names. */
export const technologies: () => ReadonlyMap<string, Technology> = lazily(index)

/** All beginnings of spellings in whole words, so that most words of a text are passed over at once. */
export function beginningsOf(spellings: Iterable<string>): ReadonlySet<string> {
  const beginnings = new Set<string>()
  for (const spelling of spellings)
    for (let end = spelling.indexOf(' '); end !== -1; end = spelling.indexOf(' ', end + 1)) {
      beginnings.add(spelling.slice(0, end))
      beginnings.add(withoutPossessive(spelling.slice(0, end)))
    }
  return beginnings
}

export function withoutPossessive(word: string): string {
  return word.endsWith("'s") || word.endsWith('’s') ? word.slice(0, -2) : word
}

/** The entries of a list whose items are separated by `;`. */
export function listed(text: string, separator = ';'): string[] {
  return text
    .split(separator)
    .map((item) => item.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
}

function index(): Map<string, Technology> {
  const found = new Map<string, Technology>()
  const slotsOf = new Map<string, string[]>()
  for (const { name: slot, values = '' } of SLOTS)
    for (const entry of listed(values)) {
      const [marked = '', aliases = ''] = listed(entry, '=')
      const name = marked.replace('~', '')
      const slots = slotsOf.get(name) ?? []
      slotsOf.set(name, slots)
      slots.push(slot)
      for (const spelling of [marked, ...listed(aliases, ',')]) {
        const key = spellingKey(spelling.replace('~', ''))
        // The first one that claims a spelling keeps it.
        if (!found.has(key)) found.set(key, { name, slots, everyday: spelling.startsWith('~') })
      }
    }
  return found
}
