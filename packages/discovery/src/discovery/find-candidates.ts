import { realpath } from 'node:fs/promises'
import { isPackageName } from '../config/package-name.ts'
import { assignNames } from './assign-names.ts'
import type { Candidate } from './candidate.ts'
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
