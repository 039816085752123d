import type { TokenCounter } from '@palimpsest/core'
import type { ArtifactTouch } from '../candidates/artifact-touch.ts'
import type { Decision } from '../log/decision.ts'
import type { DecisionSet } from '../log/decision-set.ts'
import { EntryList } from './entry-list.ts'
import { TermIndex } from './match-scores.ts'
import { type RankedLog, Ranking } from './ranking.ts'

/** A log as one reader needs it. */
export interface LogReading extends RankedLog {
  readonly terms: TermIndex
  readonly rankings: Map<TokenCounter, Ranking>
}

interface Known extends LogReading {
  readonly session: string
  readonly changes: readonly string[] | undefined
  /** Number of changes that were read. */
  read: number
  /** Decisions as they were read last. */
  readonly decisions: Map<string, Decision>
  readonly dependants: Map<string, number>
  readonly rested: string[]
  readonly ofEntity: Map<string, string[]>
}

const readings = new WeakMap<DecisionSet, Known>()

/**
 * The reading of a log for a session, brought up to date: it costs what has changed since the last call. After a withdrawal,
 * and for another session, the log is read as a whole.
 */
export function readLog(decisions: DecisionSet, session: string): LogReading {
  const { changes } = decisions
  const last = readings.get(decisions)
  const goesOn = changes !== undefined && last?.changes === changes && last.session === session
  const reading: Known = goesOn
    ? last
    : {
        ...{ session, changes, read: 0, decisions: new Map(), dependants: new Map(), rested: [] },
        ...{ ofEntity: new Map(), rankings: new Map() },
        entries: new EntryList(session),
        terms: new TermIndex(),
      }
  const read = changes?.length ?? 0
  if (goesOn && reading.read === read) return reading
  const ids = new Set(changes?.slice(reading.read))
  const changed = goesOn ? [...ids].flatMap((id) => decisions.get(id) ?? []) : decisions.all
  for (const decision of changed) {
    const before = reading.decisions.get(decision.id)
    reading.decisions.set(decision.id, decision)
    reading.terms.replace(before, decision)
    if (before === undefined) noteEntities(reading, decision)
    if (before?.status === 'active') countBases(reading, before, -1)
    if (decision.status === 'active') countBases(reading, decision, 1)
  }
  reading.entries.update(changed, decisions)
  reading.read = read
  readings.set(decisions, reading)
  return reading
}

function countBases({ dependants, rested }: Known, { dependsOn }: Decision, step: number): void {
  for (const id of dependsOn) {
    dependants.set(id, (dependants.get(id) ?? 0) + step)
    rested.push(id)
  }
}

/** A decision names what it named first. */
function noteEntities({ ofEntity }: Known, { id, entities }: Decision): void {
  for (const entity of entities) {
    const known = ofEntity.get(entity)
    if (known === undefined) ofEntity.set(entity, [id])
    else known.push(id)
  }
}

/** The ranking of the entries of a log by their worth, of which the files that were touched are a part. */
export function rankingOf(
  reading: LogReading,
  tokens: TokenCounter,
  artifacts: readonly ArtifactTouch[],
): Ranking {
  const { rankings } = reading
  const ranking = rankings.get(tokens) ?? new Ranking(reading, (line) => tokens.countText(`${line}\n`))
  rankings.set(tokens, ranking)
  ranking.update(artifacts)
  return ranking
}
