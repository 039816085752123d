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

/** Every spelling (`spellingKey`) with what it names. */
export const TECHNOLOGIES: ReadonlyMap<string, Technology> = index()

/** A spelling for comparison: lower case; hyphens, underscores and white space alike. */
export function spellingKey(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim()
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
