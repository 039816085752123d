import type { TokenCounter } from '@palimpsest/core'
import type { Decision, DecisionSet } from '../log/decision.ts'
import { EntryList, isHeld } from './entry-list.ts'
import { LogTerms } from './log-terms.ts'
import { type RankedLog, Ranking } from './ranking.ts'
import type { TouchedFiles } from './touched-files.ts'

/** A log as one reader needs it. */
export interface LogReading extends RankedLog {
  readonly terms: LogTerms
  readonly rankings: Map<TokenCounter, Ranking>
}

interface Known extends LogReading {
  readonly session: string
  readonly changes: readonly string[] | undefined
  /** Number of changes that were read. */
  read: number
  readonly dependants: Map<string, number>
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
  const reading = goesOn ? last : begin(decisions, session)
  const read = changes?.length ?? 0
  if (goesOn && reading.read === read) return reading
  const ids = new Set(goesOn ? changes.slice(reading.read) : [])
  const changed = goesOn ? [...ids].flatMap((id) => decisions.get(id) ?? []) : decisions.all
  const { entries, terms } = reading
  const rested: string[] = []
  for (const decision of changed) {
    if (goesOn) terms.replace(decision)
    const step = Number(decision.status === 'active') - Number(isHeld(entries.of(decision.id)))
    if (step !== 0) rested.push(...countBases(reading, decision, step))
  }
  entries.update(changed, rested, decisions)
  reading.read = read
  readings.set(decisions, reading)
  return reading
}

function begin(decisions: DecisionSet, session: string): Known {
  return {
    session,
    changes: decisions.changes,
    read: 0,
    dependants: new Map(),
    rankings: new Map(),
    entries: new EntryList(session),
    terms: new LogTerms(decisions),
    ofEntity: createNames(decisions),
  }
}

/** Finds decisions by what they name; the first call reads the whole log, others what is new. */
function createNames(decisions: DecisionSet): (name: string) => readonly string[] {
  const ids = new Map<string, string[]>()
  let read = 0
  return (name) => {
    const { all } = decisions
    for (; read < all.length; read++) {
      const { id, entities } = all[read] as Decision
      for (const entity of entities) {
        const known = ids.get(entity)
        if (known === undefined) ids.set(entity, [id])
        else known.push(id)
      }
    }
    return ids.get(name) ?? []
  }
}

/** Returns the decisions that it rests on. */
function countBases({ dependants }: Known, { dependsOn }: Decision, step: number): readonly string[] {
  for (const id of dependsOn) dependants.set(id, (dependants.get(id) ?? 0) + step)
  return dependsOn
}

/** The ranking of the entries of a log by their worth, of which the files that were touched are a part. */
export function rankingOf(reading: LogReading, tokens: TokenCounter, touched: TouchedFiles): Ranking {
  const { rankings } = reading
  const ranking = rankings.get(tokens) ?? new Ranking(reading, (line) => tokens.countText(`${line}\n`))
  rankings.set(tokens, ranking)
  ranking.update(touched)
  return ranking
}
