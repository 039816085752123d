import { type Candidate, unavailable } from './candidate.ts'
import type { EngineEntry, EngineSource } from './discovery-types.ts'

/** The order in which sources are asked, and listed. */
const ORDER: readonly EngineSource[] = ['built-in', 'directory', 'user-directory', 'registered', 'package']

/**
 * Gives each name to the first source that claims it, broken or not: a folder that cannot be loaded must not be
 * replaced by a package of the same name. Two packages of one name exclude each other, because nothing orders
 * them. The result is sorted by source, then by name.
 */
export function assignNames(candidates: readonly Candidate[]): Candidate[] {
  const sorted = candidates.toSorted(bySourceAndName)
  const claims = Map.groupBy(sorted, ({ claim }) => claim)
  return sorted.map((candidate) => {
    const { entry, claim } = candidate
    const fault = claim === undefined ? undefined : clash(candidate, claims.get(claim) ?? [])
    return fault === undefined ? candidate : unavailable(entry, fault, claim)
  })
}

/** Why a candidate does not get the name that it claims. */
function clash(candidate: Candidate, rivals: readonly Candidate[]): string | undefined {
  const [owner = candidate] = rivals
  const name = `the name "${owner.entry.name}"`
  if (owner.entry.source === 'package' && rivals.length > 1) {
    const packages = rivals.map(({ entry }) => `"${entry.location}"`).join(' and ')
    return `${name} is claimed by the packages ${packages}; remove all but one`
  }
  return owner === candidate ? undefined : `${name} belongs to ${describeOwner(owner.entry)}; rename this one`
}

function describeOwner({ source, location }: EngineEntry): string {
  if (source === 'built-in') return 'a built-in engine'
  return location === undefined ? 'an engine that is registered in code' : `the plugin in ${location}`
}

function bySourceAndName({ entry: a }: Candidate, { entry: b }: Candidate): number {
  return (
    ORDER.indexOf(a.source) - ORDER.indexOf(b.source) ||
    compare(a.name, b.name) ||
    compare(a.location ?? '', b.location ?? '')
  )
}

/** By code units, so that the order is the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
