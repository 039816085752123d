import { decisionLabel } from './decision-label.ts'
import { detailedLine, type Entry, sectionHeading, sectionOf } from './entry.ts'
import { shortId } from './provenance.ts'
import type { Ranked } from './ranking.ts'

/** The share of the room that lines leave to identifiers when not every line fits. */
const INDEX_SHARE = 0.15
/** The share of the room that is kept for what does not hold: claims, proposals and what was given up. */
const ASIDE_SHARE = 0.2

/** Identifiers that had no room, before no shorter one is looked for. */
const MAX_MISSES = 20

/** The length of an entry: with quotes, one line, or only counted in the index. */
export type Level = 'detail' | 'line' | 'index'

export interface FitInput {
  /** All entries, those first that are worth most for their tokens. */
  readonly ranked: readonly Ranked[]
  /** Tokens of the lines that hold, of all others, and of the headings of all of them. */
  readonly holdingTokens: number
  readonly asideTokens: number
  readonly headingTokens: number
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
  const { ranked, holdingTokens, asideTokens, headingTokens, count, room, restTokens } = input
  const levels = new Map<Entry, Level>()
  const headings = new Set<string>()
  let tokens = 0
  /** Returns true for one that has a line now. */
  const place = ({ entry, cost }: Ranked, limit: number): boolean => {
    if (tokens + cost > limit) return false
    const section = sectionOf(entry)
    const total = cost + (headings.has(section) ? 0 : count(sectionHeading(section)))
    if (tokens + total > limit) return false
    tokens += total
    headings.add(section)
    levels.set(entry, 'line')
    return true
  }

  const firstAside = ranked.findIndex(({ tier }) => tier >= 2)
  const holding = firstAside < 0 ? ranked : ranked.slice(0, firstAside)
  const aside = firstAside < 0 ? [] : ranked.slice(firstAside)
  const isTight = holdingTokens + asideTokens + headingTokens > room
  const open = isTight ? room - restTokens : room
  const isCrowded = isTight && holdingTokens + headingTokens > open
  const holdingLimit = isCrowded ? open * (1 - INDEX_SHARE) : open
  const placed = holding.filter((each) => place(each, holdingLimit))
  let misses = 0
  for (const each of holding) {
    if (tokens >= open || misses === MAX_MISSES) break
    if (levels.has(each.entry)) continue
    each.indexCost ??= count(indexItem(each.entry))
    if (tokens + each.indexCost > open) {
      misses++
      continue
    }
    tokens += each.indexCost
    levels.set(each.entry, 'index')
  }
  const addDetail = ({ entry, cost }: Ranked): void => {
    if (tokens >= open || entry.detail === '') return
    const more = count(detailedLine(entry)) - cost
    if (tokens + more > open) return
    tokens += more
    levels.set(entry, 'detail')
  }
  const asideLimit = Math.min(open, isTight ? tokens + room * ASIDE_SHARE : open)
  for (const each of aside) place(each, asideLimit)
  placed.forEach(addDetail)
  // Room that what holds leaves with all its details belongs to the others.
  for (const each of aside) if (!levels.has(each.entry)) place(each, open)
  aside.filter(({ entry }) => levels.has(entry)).forEach(addDetail)
  return { levels, tokens }
}

/** An entry as it stands among others of which only the identifier is said. */
export function indexItem({ decisions }: Entry): string {
  const ids = decisions.slice(0, 4).map(({ id }) => shortId(id))
  return `${decisionLabel(decisions[0])} ${ids.join(' ')}`
}
