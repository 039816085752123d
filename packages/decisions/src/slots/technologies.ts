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

/** Words that were asked for last: a text uses few of them, again and again. */
const MAX_KEYS = 4096
const MAX_KEY_CHARS = 40
const keys = new Map<string, string>()

/** A spelling for comparison: lower case; hyphens, underscores and white space alike. */
export function spellingKey(text: string): string {
  const known = keys.get(text)
  if (known !== undefined) return known
  const key = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim()
  if (keys.size >= MAX_KEYS) keys.clear()
  if (text.length <= MAX_KEY_CHARS) keys.set(text, key)
  return key
}

/** Every spelling (`spellingKey`) with what it names. */
export const TECHNOLOGIES: ReadonlyMap<string, Technology> = index()

/** The first words of spellings, by which most words of a text are passed over. */
export function firstWords(spellings: Iterable<string>): ReadonlySet<string> {
  return new Set([...spellings].map(firstWord))
}

/** The first word of a spelling's key, without a possessive ending. */
export function firstWord(key: string): string {
  const end = key.indexOf(' ')
  return (end === -1 ? key : key.slice(0, end)).replace(/['’]s$/, '')
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
