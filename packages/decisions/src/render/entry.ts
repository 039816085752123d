import type { Decision } from '../log/decision.ts'
import { CATEGORIES, type Category } from '../log/decision-event.ts'
import { isFact } from './claim.ts'

/** `ended`: given up, with nothing in its place. `remark`: what the user said of a subject on which nothing holds. */
export type Standing = 'holding' | 'contested' | 'ended' | 'proposed' | 'remark'

/** One thing that a block says: a decision, or the rivals of a contested slot together. */
export interface Entry {
  readonly standing: Standing
  /** Grows along the list of all entries; no two have the same. */
  readonly place: number
  readonly category: Category
  /** Rivals in the order in which they were said; else one. */
  readonly decisions: readonly [Decision, ...Decision[]]
  /** The line, of about 15 tokens and its history. */
  readonly l0: string
  /** The detail that L1 adds to the line; may be empty. */
  readonly detail: string
}

/** The text of an entry with its detail. */
export function detailedLine({ l0, detail }: Pick<Entry, 'l0' | 'detail'>): string {
  return detail === '' ? l0 : `${l0}\n  ${detail}`
}

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
