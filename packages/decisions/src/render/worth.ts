import { type Decision, isContested } from '../log/decision.ts'
import type { Authority } from '../log/decision-event.ts'
import type { Entry } from './entry.ts'
import type { LogTerms } from './log-terms.ts'
import type { TouchedFiles } from './touched-files.ts'

const AUTHORITY: Readonly<Record<Authority, number>> = { stated: 4, accepted: 3, proposed: 1 }
/** An entry that matches the query fully is worth this many times as much more. */
const MATCH = 3
/** Models drift back from decisions that replaced others or are contested. */
const CHANGED = 2
/** Decisions of one entry that are looked at. */
const MOST_RIVALS = 100

/** The worth of an entry. */
export interface Worth {
  /** 0: rules and choices of known slots. 1: whatever else holds. 2: remarks and what was given up. 3: proposals. */
  readonly tier: number
  /** Authority × reach × match with the query; to be divided by tokens. */
  readonly value: number
  /** Match with the query, 0 to 1. */
  readonly match: number
}

/** Number of active decisions that rest on each, by its id. */
export interface Dependants {
  readonly dependants: ReadonlyMap<string, number>
}

export interface WorthInput {
  readonly reading: Dependants & { readonly terms: Pick<LogTerms, 'scores'> }
  readonly touched: TouchedFiles
  readonly query?: string | undefined
  /** The worth of entries without the query, where it is known. */
  readonly ranking?: { of(entry: Entry): Pick<Worth, 'tier' | 'value'> | undefined }
}

/** Scores of the entries of a log for a query. */
export interface QueryMatch {
  /** Decisions that match, by id. */
  readonly matches: ReadonlyMap<string, number>
  readonly matchOf: (entry: Entry) => number
  /** The worth of an entry that has some worth without the query. */
  readonly worthAt: (value: number, entry: Entry) => number
}

/** Says how well entries of one log match a query, and what they are worth. Made once for a rendering. */
export function createWorth({ reading, touched, query = '', ranking }: WorthInput): QueryMatch & {
  readonly worthOf: (entry: Entry) => Worth
} {
  const matches = reading.terms.scores(query)
  const matchOf = ({ decisions: of }: Entry): number =>
    of.length === 1
      ? (matches.get(of[0].id) ?? 0)
      : Math.max(...of.slice(0, MOST_RIVALS).map(({ id }) => matches.get(id) ?? 0))
  const worthAt = (value: number, entry: Entry): number => value * (1 + MATCH * matchOf(entry))
  const worthOf = (entry: Entry): Worth => {
    const { tier, value } = ranking?.of(entry) ?? weigh(entry, reading, touched)
    const match = matchOf(entry)
    return { tier, value: value * (1 + MATCH * match), match }
  }
  return { matches, matchOf, worthAt, worthOf }
}

/** The worth of an entry without a query. `touched`: says whether a file of a name was touched. */
export function weigh(
  { standing, decisions: of }: Entry,
  { dependants }: Dependants,
  touched: { has(name: string): boolean },
): Pick<Worth, 'tier' | 'value'> {
  const worthOfOne = (decision: Decision): number => {
    const { id, authority, entities, sources, supersedes } = decision
    let files = 0
    for (const entity of entities) if (touched.has(entity)) files++
    const said = (dependants.get(id) ?? 0) + files + sources.length - 1
    const isChanged = supersedes.length > 0 || isContested(decision)
    const reach = (isChanged ? CHANGED : 1) * (1 + Math.log2(1 + entities.length + 2 * said))
    return AUTHORITY[authority] * reach
  }
  const value = of.length === 1 ? worthOfOne(of[0]) : Math.max(...of.slice(0, MOST_RIVALS).map(worthOfOne))
  return { tier: tierOf(standing, of[0]), value }
}

function tierOf(standing: Entry['standing'], { slot }: Decision): number {
  if (standing === 'proposed') return 3
  if (standing === 'ended' || standing === 'remark') return 2
  // A slot with a prefix was made up for one thing; rules bind everything.
  const isPinned = slot.startsWith('rule:') || !slot.includes(':')
  return isPinned ? 0 : 1
}
