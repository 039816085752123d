import { realpath } from 'node:fs/promises'
import { isPackageName } from './config/package-name.ts'
import { type Candidate, type EngineEntry, type EngineSource, unavailable } from './discovery-types.ts'
import { readChosenPackage, readDependencies } from './packages.ts'
import { readPluginFolders } from './plugin-folders.ts'

export interface FoundCandidates {
  /** One for each engine, sorted; a name has at most one that can be loaded. */
  readonly candidates: readonly Candidate[]
  /** The one that the choice means. */
  readonly chosen?: Candidate
}

export interface Places {
  readonly root: string
  readonly userRoot: string | undefined
  /** Those that are in no folder. */
  readonly given: readonly Candidate[]
}

/**
 * All engines around a folder, those of the user, and those that the host brings.
 *
 * @param choice the name of an engine, else of a package: the package is looked up when nothing else has the name.
 */
export async function findCandidates(
  { root, userRoot, given }: Places,
  choice?: string,
): Promise<FoundCandidates> {
  const folder = await realFolder(root)
  const home = userRoot === undefined ? folder : await realFolder(userRoot)
  const onDisk = await Promise.all([
    readPluginFolders(folder, 'directory'),
    home === folder ? [] : readPluginFolders(home, 'user-directory'),
    readDependencies(folder),
  ])
  const all = [...given, ...onDisk.flat()]
  const found = withChoice(all, choice)
  if (found.chosen !== undefined || !isPackageName(choice)) return found
  const candidate = await readChosenPackage(folder, choice)
  return candidate === undefined ? found : withChoice([...all, candidate], choice)
}

function withChoice(all: readonly Candidate[], choice: string | undefined): FoundCandidates {
  const candidates = assignNames(all)
  if (choice === undefined) return { candidates }
  const chosen =
    candidates.find(({ claim }) => claim === choice) ??
    candidates.find(({ entry }) => entry.source === 'package' && entry.location === choice)
  return { candidates, ...(chosen !== undefined && { chosen }) }
}

/** Node resolves packages from real paths, too. */
function realFolder(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

/** The order in which sources are asked, and listed. */
const ORDER: readonly EngineSource[] = ['built-in', 'directory', 'user-directory', 'registered', 'package']

/**
 * Gives each name to the first source that claims it, broken or not: a folder that cannot be loaded must not be
 * replaced by a package of the same name. Two packages of one name exclude each other, because nothing orders
 * them. The result is sorted by source, then by name.
 */
function assignNames(candidates: readonly Candidate[]): Candidate[] {
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
