import type { ArtifactTouch } from '../candidates/artifact-touch.ts'
import type { Authority } from '../log/authority.ts'
import { type Decision, isContested } from '../log/decision.ts'
import type { DecisionSet } from '../log/decision-set.ts'
import type { Entry } from './entry.ts'
import { matchScores, takeOverIndex } from './match-scores.ts'
import { memoOfLog } from './memo-of-log.ts'

const AUTHORITY: Readonly<Record<Authority, number>> = { stated: 4, accepted: 3, proposed: 1 }
/** An entry that matches the query fully is worth this many times as much more. */
const MATCH = 3
/** Models drift back from decisions that replaced others or are contested. */
const CHANGED = 2

/** The worth of an entry. */
export interface Worth {
  /** 0: rules and choices of known slots. 1: whatever else holds. 2: remarks and what was given up. 3: proposals. */
  readonly tier: number
  /** Authority × reach × match with the query; to be divided by tokens. */
  readonly value: number
  /** Match with the query, 0 to 1. */
  readonly match: number
}

export interface WorthInput {
  readonly decisions: DecisionSet
  readonly artifacts: readonly ArtifactTouch[]
  readonly query?: string
}

interface LogFacts {
  readonly all: readonly Decision[]
  readonly dependants: ReadonlyMap<string, number>
}

/** The part that does not depend on a query: all decisions, and how many active ones rest on each. */
const readLog = memoOfLog<LogFacts>((decisions, _, last) => {
  const { all } = decisions
  if (last !== undefined) takeOverIndex(last.all, all)
  const dependants = new Map<string, number>()
  for (const { status, dependsOn } of all)
    if (status === 'active') for (const id of dependsOn) dependants.set(id, (dependants.get(id) ?? 0) + 1)
  return { all, dependants }
})

/** Says how well entries of one log match a query, and what they are worth. Made once for a rendering. */
export function createWorth({ decisions, artifacts, query = '' }: WorthInput): {
  readonly matchOf: (entry: Entry) => number
  readonly worthOf: (entry: Entry) => Worth
} {
  const { all, dependants } = readLog(decisions)
  const matches = matchScores(query, all)
  let names: ReadonlySet<string> | undefined
  const touched = (): ReadonlySet<string> => {
    names ??= new Set(artifacts.flatMap(({ path }) => [path, path.slice(path.lastIndexOf('/') + 1)]))
    return names
  }

  const reach = (decision: Decision): number => {
    const { id, entities, sources, supersedes } = decision
    const files = entities.filter((entity) => touched().has(entity)).length
    const said = (dependants.get(id) ?? 0) + files + sources.length - 1
    const isChanged = supersedes.length > 0 || isContested(decision)
    return (isChanged ? CHANGED : 1) * (1 + Math.log2(1 + entities.length + 2 * said))
  }
  const matchOf = ({ decisions: of }: Entry): number =>
    of.length === 1
      ? (matches.get(of[0].id) ?? 0)
      : Math.max(...of.slice(0, 100).map(({ id }) => matches.get(id) ?? 0))
  const worthOf = (entry: Entry): Worth => {
    const { standing, decisions: of } = entry
    const match = matchOf(entry)
    const values = of.slice(0, 100).map((decision) => AUTHORITY[decision.authority] * reach(decision))
    return { tier: tierOf(standing, of[0]), value: Math.max(...values) * (1 + MATCH * match), match }
  }
  return { matchOf, worthOf }
}

function tierOf(standing: Entry['standing'], { slot }: Decision): number {
  if (standing === 'proposed') return 3
  if (standing === 'ended' || standing === 'remark') return 2
  // A slot with a prefix was made up for one thing; rules bind everything.
  const isPinned = slot.startsWith('rule:') || !slot.includes(':')
  return isPinned ? 0 : 1
}
