import type { TokenCounter } from '@palimpsest/core'
import type { Decision, DecisionSet } from '../log/decision.ts'
import { EntryList, isHeld } from './entry-list.ts'
import { TermIndex } from './match-scores.ts'
import { type RankedLog, Ranking } from './ranking.ts'
import type { TouchedFiles } from './touched-files.ts'

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
  readonly dependants: Map<string, number>
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
        ...{ session, changes, read: 0, dependants: new Map(), ofEntity: new Map(), rankings: new Map() },
        entries: new EntryList(session),
        terms: new TermIndex(decisions.all),
      }
  const read = changes?.length ?? 0
  if (goesOn && reading.read === read) return reading
  const ids = new Set(changes?.slice(reading.read))
  const changed = goesOn ? [...ids].flatMap((id) => decisions.get(id) ?? []) : decisions.all
  const { entries, terms } = reading
  const rested: string[] = []
  for (const decision of changed) {
    if (goesOn) terms.replace(decision)
    if (!entries.knows(decision.id)) noteEntities(reading, decision)
    const step = Number(decision.status === 'active') - Number(isHeld(entries.of(decision.id)))
    if (step !== 0) rested.push(...countBases(reading, decision, step))
  }
  entries.update(changed, rested, decisions)
  reading.read = read
  readings.set(decisions, reading)
  return reading
}

/** Returns the decisions that it rests on. */
function countBases({ dependants }: Known, { dependsOn }: Decision, step: number): readonly string[] {
  for (const id of dependsOn) dependants.set(id, (dependants.get(id) ?? 0) + step)
  return dependsOn
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
export function rankingOf(reading: LogReading, tokens: TokenCounter, touched: TouchedFiles): Ranking {
  const { rankings } = reading
  const ranking = rankings.get(tokens) ?? new Ranking(reading, (line) => tokens.countText(`${line}\n`))
  rankings.set(tokens, ranking)
  ranking.update(touched)
  return ranking
}
