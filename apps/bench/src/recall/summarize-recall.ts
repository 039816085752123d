import type { Arm } from '../arms/arm.ts'
import { type Estimate, estimateDifference, estimateMean, type Sum } from '../bootstrap.ts'
import { kindOf } from './identifiers.ts'
import type { Play, Probe } from './play-recall.ts'
import type { AfterCompactionRow, RecallRow, Share } from './recall-report.ts'
import type { Reference } from './session-reading.ts'

/** Parts of the prompt that places are counted in. */
const TENTHS = 10

/** The plays of one arm at one budget, one a session, and those of the bounds that they are seen against. */
export interface ArmPlays {
  readonly arm: Arm
  readonly budget: number
  readonly plays: readonly Play[]
  readonly empty: readonly Play[]
  readonly full: readonly Play[]
  readonly truncate: readonly Play[]
}

/** Means over the far re-references of all sessions. */
export function summarizeRecall(input: ArmPlays): RecallRow {
  const { arm, budget, plays } = input
  const requests = plays.flatMap((play) => play.requests)
  const probes = plays.flatMap((play) => play.probes)
  const asked = requests.filter((request) => request.asked > 0)
  const held = total(asked.map((request) => request.held))
  const reachedIn = (by: 'byName' | 'byContext', calls: number): Estimate | null =>
    estimateMean(plays.map((play) => share(play.probes, (probe) => isReached(probe, by, calls))))
  const read = probes.flatMap(({ byName }) => (byName === undefined ? [] : [byName.tokens]))
  return {
    arm: arm.name,
    kind: arm.kind,
    budget,
    assistant: shareOf('assistant', input),
    user: shareOf('user', input),
    reached: { at1: reachedIn('byName', 1), at3: reachedIn('byName', 3), tokensPerProbe: mean(read) },
    reachedByContext: { at1: reachedIn('byContext', 1), at3: reachedIn('byContext', 3) },
    position: tenthsOf(probes),
    tokens: mean(requests.map(({ tokens }) => tokens)) ?? 0,
    toolTokens: mean(requests.map(({ toolTokens }) => toolTokens)) ?? 0,
    tokensPerFact: held === 0 ? null : total(asked.map(({ tokens }) => tokens)) / held,
    overBudget: { count: requests.filter(({ tokens }) => tokens > budget).length, n: requests.length },
    compactions: total(plays.map(({ compactions }) => compactions)),
    warnings: countEach(plays.flatMap(({ warnings }) => warnings)),
    byKind: byKind(probes.filter(({ reference }) => reference.role === 'assistant')),
  }
}

/** Null when the arm never compacted, or is a bound. */
export function summarizeAfterCompaction({ arm, budget, plays }: ArmPlays): AfterCompactionRow | null {
  const all = plays.flatMap(({ afterCompactions }) => afterCompactions)
  if (all.length === 0) return null
  const estimate = (key: 'held' | 'inTail'): Estimate | null =>
    estimateMean(
      plays.map(({ afterCompactions }) => ({
        sum: total(afterCompactions.map((each) => each[key])),
        n: total(afterCompactions.map(({ used }) => used)),
      })),
    )
  const [projection, tail] = [estimate('held'), estimate('inTail')]
  return {
    arm: arm.name,
    kind: arm.kind,
    budget,
    compactions: all.length,
    tokens: mean(all.map(({ tokens }) => tokens)) ?? 0,
    projection,
    tail,
    tailTokens: mean(all.map(({ tailTokens }) => tailTokens)) ?? 0,
    ratio: projection === null || tail === null || tail.mean === 0 ? null : projection.mean / tail.mean,
  }
}

function shareOf(role: Reference['role'], { plays, empty, full, truncate }: ArmPlays): Share {
  const sums = (of: readonly Play[]): Sum[] =>
    of.map(({ probes }) =>
      share(
        probes.filter(({ reference }) => reference.role === role),
        isHeld,
      ),
    )
  const [own, least, most] = [sums(plays), sums(empty), sums(full)]
  // A ratio of sums is a mean with the lower sum as its number of cases.
  const normalized = own.map(({ sum }, session) => {
    const floor = least[session]?.sum ?? 0
    return { sum: sum - floor, n: (most[session]?.sum ?? 0) - floor }
  })
  return {
    mean: estimateMean(own),
    normalized: estimateMean(normalized),
    gain: estimateDifference(own, sums(truncate)),
  }
}

function isHeld({ place }: Probe): boolean {
  return place !== null
}

function isReached(probe: Probe, by: 'byName' | 'byContext', calls: number): boolean {
  return isHeld(probe) || (probe[by]?.call ?? Number.POSITIVE_INFINITY) <= calls
}

function share(probes: readonly Probe[], holds: (probe: Probe) => boolean): Sum {
  return { sum: probes.filter(holds).length, n: probes.length }
}

function tenthsOf(probes: readonly Probe[]): number[] {
  const places = probes.flatMap(({ place }) =>
    place === null ? [] : [Math.min(TENTHS - 1, Math.floor(place * TENTHS))],
  )
  return Array.from({ length: TENTHS }, (_, tenth) =>
    places.length === 0 ? 0 : places.filter((place) => place === tenth).length / places.length,
  )
}

function byKind(probes: readonly Probe[]): RecallRow['byKind'] {
  const kinds = Map.groupBy(probes, ({ reference }) => kindOf(reference.identifier))
  return Object.fromEntries(
    [...kinds]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, all]) => [kind, { found: all.filter(isHeld).length, n: all.length }]),
  )
}

function countEach(codes: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(codes, (code) => code)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, all]) => [code, all.length]),
  )
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : total(values) / values.length
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
