import { CONVENTION_NAMES } from './names/convention-names.ts'
import { EVERYDAY_WORDS } from './names/everyday-words.ts'
import { LANGUAGE_NAMES } from './names/language-names.ts'
import { OPERATIONS_NAMES } from './names/operations-names.ts'
import type { SlotNames } from './names/slot-names.ts'
import { STORAGE_NAMES } from './names/storage-names.ts'
import { WEB_NAMES } from './names/web-names.ts'

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
export const TECHNOLOGIES: ReadonlyMap<string, Technology> = index(
  STORAGE_NAMES,
  OPERATIONS_NAMES,
  CONVENTION_NAMES,
  LANGUAGE_NAMES,
  WEB_NAMES,
)

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

function index(...tables: readonly SlotNames[]): Map<string, Technology> {
  const found = new Map<string, Technology>()
  const slotsOf = new Map<string, string[]>()
  for (const table of tables)
    for (const [slot, names] of Object.entries(table))
      for (const entry of listed(names)) {
        const [name = '', aliases = ''] = listed(entry, '=')
        const slots = slotsOf.get(name) ?? []
        slotsOf.set(name, slots)
        slots.push(slot)
        for (const spelling of [name, ...listed(aliases, ',')]) {
          const key = spellingKey(spelling)
          // The first one that claims a spelling keeps it.
          if (!found.has(key)) found.set(key, { name, slots, everyday: EVERYDAY_WORDS.has(key) })
        }
      }
  return found
}
