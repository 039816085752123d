import type { ArtifactTouch } from '../candidates/artifact-touch.ts'
import type { Authority } from '../log/authority.ts'
import type { Decision } from '../log/decision.ts'
import type { DecisionSet } from '../log/decision-set.ts'
import type { Entry } from './entry.ts'
import { matchScores } from './match-scores.ts'

const AUTHORITY: Readonly<Record<Authority, number>> = { stated: 4, accepted: 3, executed: 2, proposed: 1 }
/** How many times as much an entry is worth more that matches the query fully. */
const MATCH = 3
/** What took the place of something, or is contested, is what a model drifts back from. */
const CHANGED = 2

/** What an entry is worth. */
export interface Worth {
  /** 0: rules and choices of known slots. 1: whatever else holds. 2: what was given up. 3: proposals. */
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

/** Says what entries of one log are worth. Made once for a rendering: it reads the whole log. */
export function createWorth({ decisions, artifacts, query = '' }: WorthInput): (entry: Entry) => Worth {
  const all = decisions.all
  const matches = matchScores(query, all)
  const dependants = new Map<string, number>()
  for (const { status, dependsOn } of all)
    if (status === 'active') for (const id of dependsOn) dependants.set(id, (dependants.get(id) ?? 0) + 1)
  const touched = new Set(artifacts.flatMap(({ path }) => [path, path.slice(path.lastIndexOf('/') + 1)]))

  const reach = ({ id, entities, sources, supersedes, contestedBy }: Decision): number => {
    const files = entities.filter((entity) => touched.has(entity)).length
    const said = (dependants.get(id) ?? 0) + files + sources.length - 1
    const isChanged = supersedes.length + contestedBy.length > 0
    return (isChanged ? CHANGED : 1) * (1 + Math.log2(1 + entities.length + 2 * said))
  }
  return ({ standing, decisions: of }) => {
    const match = Math.max(...of.slice(0, 100).map(({ id }) => matches.get(id) ?? 0))
    const values = of.slice(0, 100).map((decision) => AUTHORITY[decision.authority] * reach(decision))
    return { tier: tierOf(standing, of[0]), value: Math.max(...values) * (1 + MATCH * match), match }
  }
}

function tierOf(standing: Entry['standing'], { slot, authority }: Decision): number {
  if (standing === 'proposed') return 3
  if (standing === 'ended') return 2
  // A slot with a prefix was made up for one thing; rules bind everything.
  const isPinned = slot.startsWith('rule:') || !slot.includes(':')
  return isPinned && authority !== 'executed' ? 0 : 1
}
