import { decisionLabel } from './decision-label.ts'
import { detailedLine, type Entry } from './entry.ts'
import { shortId } from './provenance.ts'
import { sectionHeading, sectionOf } from './section.ts'
import type { Worth } from './worth.ts'

/** The share of the room that lines leave to identifiers when not every line fits. */
const INDEX_SHARE = 0.15
/** The share of the room that is kept for what does not hold: claims, proposals and what was given up. */
const ASIDE_SHARE = 0.2

/** The length of an entry: with quotes, one line, or only counted in the index. */
export type Level = 'detail' | 'line' | 'index'

export interface FitInput {
  readonly entries: readonly Entry[]
  readonly worthOf: (entry: Entry) => Worth
  /** Tokens of a line with its end. */
  readonly count: (line: string) => number
  readonly room: number
  /** Tokens of what is said when something is left out. */
  readonly restTokens: number
}

/** The level of each entry; one that is not in the map is only counted. */
export function fitEntries(input: FitInput): {
  readonly levels: ReadonlyMap<Entry, Level>
  readonly tokens: number
} {
  const { entries, worthOf, count, room, restTokens } = input
  const levels = new Map<Entry, Level>()
  const headings = new Set<string>()
  let tokens = 0
  const ranked = entries
    .map((entry) => {
      const { tier, value } = worthOf(entry)
      const cost = count(entry.l0)
      return { entry, cost, isHolding: tier < 2, tier, density: value / cost }
    })
    .sort((a, b) => a.tier - b.tier || b.density - a.density)
  const place = ({ entry, cost }: { entry: Entry; cost: number }, limit: number): void => {
    const section = sectionOf(entry)
    const total = cost + (headings.has(section) ? 0 : count(sectionHeading(section)))
    if (tokens + total > limit) return
    tokens += total
    headings.add(section)
    levels.set(entry, 'line')
  }

  const holding = ranked.filter(({ isHolding }) => isHolding)
  const aside = ranked.filter(({ isHolding }) => !isHolding)
  const headingTokens = [...new Set(entries.map(sectionOf))].reduce(
    (sum, section) => sum + count(sectionHeading(section)),
    0,
  )
  const wanted = ranked.reduce((sum, { cost }) => sum + cost, headingTokens)
  const isTight = wanted > room
  const open = isTight ? room - restTokens : room
  const isCrowded = isTight && holding.reduce((sum, { cost }) => sum + cost, headingTokens) > open
  for (const each of holding) place(each, isCrowded ? open * (1 - INDEX_SHARE) : open)
  for (const { entry } of holding) {
    if (levels.has(entry)) continue
    const cost = count(indexItem(entry))
    if (tokens + cost > open) continue
    tokens += cost
    levels.set(entry, 'index')
  }
  const addDetail = ({ entry, cost }: { entry: Entry; cost: number }): void => {
    if (tokens >= open || levels.get(entry) !== 'line' || entry.detail === '') return
    const more = count(detailedLine(entry)) - cost
    if (tokens + more > open) return
    tokens += more
    levels.set(entry, 'detail')
  }
  const asideLimit = Math.min(open, isTight ? tokens + room * ASIDE_SHARE : open)
  for (const each of aside) place(each, asideLimit)
  holding.forEach(addDetail)
  // Room that what holds leaves with all its details belongs to the others.
  for (const each of aside) if (!levels.has(each.entry)) place(each, open)
  aside.forEach(addDetail)
  return { levels, tokens }
}

/** An entry as it stands among others of which only the identifier is said. */
export function indexItem({ decisions }: Entry): string {
  const ids = decisions.slice(0, 4).map(({ id }) => shortId(id))
  return `${decisionLabel(decisions[0])} ${ids.join(' ')}`
}
