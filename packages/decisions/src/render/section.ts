import { CATEGORIES } from '../log/category.ts'
import { isFact } from './claim.ts'
import type { Entry } from './entry.ts'

/** Parts of a block in their order: the categories, what the user said without deciding, and the choices that were not taken up. */
export const SECTIONS = [...CATEGORIES, 'said, not decided', 'proposed, not decided'] as const

export type Section = (typeof SECTIONS)[number]

/** The part that an entry stands in. */
export function sectionOf({ standing, category, decisions: [first] }: Entry): Section {
  if (standing === 'remark') return 'said, not decided'
  return standing === 'proposed' && !isFact(first) ? 'proposed, not decided' : category
}

/** The line above a part. */
export function sectionHeading(section: string): string {
  return `## ${section}`
}
