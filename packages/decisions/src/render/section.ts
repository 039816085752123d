import { CATEGORIES } from '../log/category.ts'
import type { Entry } from './entry.ts'

/** Parts of a block in their order: the categories, and what nobody has taken up. */
export const SECTIONS = [...CATEGORIES, 'proposed, not decided'] as const

export type Section = (typeof SECTIONS)[number]

/** The part that an entry stands in. */
export function sectionOf({ standing, category }: Entry): Section {
  return standing === 'proposed' ? 'proposed, not decided' : category
}

/** The line above a part. */
export function sectionHeading(section: string): string {
  return `## ${section}`
}
