import { realpath } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { isEngineName } from '../engine/define-context-engine.ts'
import { InvalidOptionError, PalimpsestError } from '../errors/errors.ts'
import { closestName } from '../options.ts'
import type { EngineDefinition, Warning } from '../spec/v1/index.ts'
import { DEFAULT_ENGINE } from './config/config-schema.ts'
import { describeInvalidChoice, isPackageName } from './config/read-yaml.ts'
import type {
  EngineDiscovery,
  EngineDiscoveryOptions,
  EngineEntry,
  EngineSource,
  ResolvedEngine,
} from './discovery-types.ts'
import { API_VERSION, checkDefinition, loadDefinition } from './import-engine.ts'
import { errorLine, oneLine } from './plugin-files.ts'
import {
  type Candidate,
  readChosenPackage,
  readDependencies,
  readPluginFolders,
  unavailable,
} from './read-manifests.ts'

const DEFAULT_LOAD_TIMEOUT = 10_000
const MAX_TIMEOUT = 2 ** 31 - 1

/**
 * Finds the context engines of an application: built-in engines, plug-in folders of the application and of the user,
 * registered engines, and npm packages. Only the chosen engine is imported, and a broken engine hides no other. Results
 * are not cached, but Node loads a module once per process.
 *
 * @throws InvalidOptionError
 */
export function createEngineDiscovery(options: EngineDiscoveryOptions): EngineDiscovery {
  checkDiscoveryOptions(options)
  const { loadTimeoutMs = DEFAULT_LOAD_TIMEOUT } = options
  const builtIns = options.builtIn.map((engine): Candidate => {
    const { name, version, description } = engine
    const entry = { name, version, description, source: 'built-in', available: true } as const
    return { entry, claim: name, load: () => engine.load() }
  })
  const registered = new Map<string, EngineDefinition>()

  const look = (choice?: string) => findCandidates(options, [...builtIns, ...registeredCandidates()], choice)
  const registeredCandidates = () =>
    Array.from(registered.values(), (definition): Candidate => {
      const facts = checkDefinition(definition)
      const entry = { ...facts, apiVersion: API_VERSION, source: 'registered', available: true } as const
      return { entry, claim: facts.name, load: async () => ({ default: definition }) }
    })

  const locate = async (choice: string): Promise<FoundCandidates> => {
    const chosen = builtIns.find(({ claim }) => claim === choice)
    if (chosen !== undefined) return { candidates: builtIns, chosen }
    return isPackageName(choice) ? look(choice) : { candidates: builtIns }
  }

  const load = async (choice: string): Promise<ResolvedEngine> => {
    const { candidates, chosen } = await locate(choice)
    if (chosen === undefined) throw unknownEngine(choice, candidates)
    const { entry, load } = chosen
    if (load === undefined) throw unavailableEngine(choice, entry.reason ?? '')
    try {
      return { ...(await loadDefinition(entry.name, load, loadTimeoutMs)), entry }
    } catch (cause) {
      throw unavailableEngine(choice, errorLine(cause), { cause })
    }
  }

  return {
    registerContextEngine(definition) {
      const { name } = checkDefinition(definition)
      const known = registered.get(name) ?? definition
      registered.set(name, known)
      const isBuiltIn = builtIns.some(({ claim }) => claim === name)
      if (!isBuiltIn && known === definition) return undefined
      const owner = isBuiltIn ? 'a built-in engine' : 'another registered engine'
      const message = `an engine named "${name}" was not registered, because the name belongs to ${owner}; give it another name`
      return { code: 'engine-name-taken', message }
    },
    async list({ choice } = {}) {
      const { candidates, chosen } = await look(choice)
      const entries = candidates.map((candidate) =>
        candidate === chosen ? { ...candidate.entry, chosen: true as const } : candidate.entry,
      )
      return choice === undefined || chosen !== undefined ? entries : [...entries, missingEntry(choice)]
    },
    async find(choice) {
      return (await locate(choice)).chosen?.entry
    },
    async resolve(choice, { strict = false } = {}) {
      try {
        return await load(choice)
      } catch (error) {
        if (strict || choice === DEFAULT_ENGINE) throw error
        return { ...(await load(DEFAULT_ENGINE)), warnings: [fallbackWarning(error)] }
      }
    },
  }
}

interface FoundCandidates {
  readonly candidates: readonly Candidate[]
  readonly chosen?: Candidate | undefined
}

async function findCandidates(
  { root, userRoot = root }: EngineDiscoveryOptions,
  given: readonly Candidate[],
  choice: string | undefined,
): Promise<FoundCandidates> {
  // Node resolves packages from real paths too.
  const [folder = root, home] = await Promise.all(
    [root, userRoot].map((path) => realpath(path).catch(() => path)),
  )
  const onDisk = await Promise.all([
    readPluginFolders(folder, 'directory'),
    home === undefined || home === folder ? [] : readPluginFolders(home, 'user-directory'),
    readDependencies(folder),
  ])
  const all = [...given, ...onDisk.flat()]
  const found = withChoice(all, choice)
  if (found.chosen !== undefined || !isPackageName(choice)) return found
  const candidate = await readChosenPackage(folder, choice)
  return candidate === undefined ? found : withChoice([...all, candidate], choice)
}

const ORDER: readonly EngineSource[] = ['built-in', 'directory', 'user-directory', 'registered', 'package']

/**
 * The first source that claims a name owns it, even if it is broken: a package must not replace a broken folder.
 * Sorting is by code units, and so equal on every machine.
 */
function withChoice(all: readonly Candidate[], choice: string | undefined): FoundCandidates {
  const compare = (a = '', b = '') => (a < b ? -1 : Number(a > b))
  const sorted = all.toSorted(
    ({ entry: a }, { entry: b }) =>
      ORDER.indexOf(a.source) - ORDER.indexOf(b.source) ||
      compare(a.name, b.name) ||
      compare(a.location, b.location),
  )
  const candidates = sorted.map((candidate) => {
    const { entry, claim } = candidate
    const owner = sorted.find((other) => claim !== undefined && other.claim === claim) ?? candidate
    if (owner === candidate) return candidate
    const reason = `the name "${owner.entry.name}" belongs to ${describeOwner(owner.entry)}; rename this one`
    return unavailable(entry, reason, claim)
  })
  const chosen =
    candidates.find(({ claim }) => claim !== undefined && claim === choice) ??
    candidates.find(({ entry }) => entry.source === 'package' && entry.location === choice) ??
    // A folder whose name no engine may have says why it cannot be used.
    candidates.find(({ claim, entry }) => claim === undefined && entry.name === choice)
  return { candidates, chosen }
}

function describeOwner({ source, location }: EngineEntry): string {
  if (source === 'built-in') return 'a built-in engine'
  if (location === undefined) return 'an engine that is registered in code'
  return source === 'package' ? `the package "${location}"` : `the plugin in ${location}`
}

function missingEntry(choice: string): EngineEntry {
  const reason = oneLine(isPackageName(choice) ? 'not found' : describeInvalidChoice(choice))
  const name = typeof choice === 'string' ? oneLine(choice) : typeof choice
  return { name, source: 'none', available: false, reason, chosen: true }
}

function fallbackWarning(error: unknown): Warning {
  return {
    code:
      PalimpsestError.isInstance(error) && error.code === UNKNOWN ? 'engine-not-found' : 'engine-unavailable',
    message: `${error instanceof Error ? error.message : errorLine(error)}; the session runs on the built-in ${DEFAULT_ENGINE} instead (context.strict: true makes this an error)`,
  }
}

const UNKNOWN = 'UNKNOWN_ENGINE'

function unavailableEngine(choice: string, reason: string, options?: { cause: unknown }): PalimpsestError {
  const message = `the context engine "${choice}" cannot be used: ${reason}`
  return new PalimpsestError('ENGINE_UNAVAILABLE', message, options)
}

function unknownEngine(choice: string, candidates: readonly Candidate[]): PalimpsestError {
  const names = candidates.filter(({ entry }) => entry.available).map(({ entry }) => entry.name)
  if (!isPackageName(choice)) return new PalimpsestError(UNKNOWN, oneLine(describeInvalidChoice(choice)))
  const meant = closestName(choice, names)
  const parts = [
    `the context engine "${choice}" was not found${meant === undefined ? '' : ` (did you mean "${meant}"?)`}`,
    `available: ${names.join(', ')}`,
    ...candidates.flatMap(({ entry }) =>
      entry.name.startsWith('./') ? `${entry.name}: ${entry.reason}` : [],
    ),
  ]
  return new PalimpsestError(UNKNOWN, parts.join('; '))
}

function checkDiscoveryOptions({ root, userRoot, builtIn, loadTimeoutMs = 1 }: EngineDiscoveryOptions): void {
  const check = (isRight: boolean, path: string, rule: string): void => {
    if (!isRight) throw new InvalidOptionError(path, `${path} must ${rule}`)
  }
  const isFolder = (path: unknown) => typeof path === 'string' && isAbsolute(path)
  const names = builtIn.map(({ name }) => name)
  check(isFolder(root), 'root', 'be the absolute path of the folder of config.yaml')
  check(userRoot === undefined || isFolder(userRoot), 'userRoot', "be the absolute path of the user's folder")
  check(names.includes(DEFAULT_ENGINE), 'builtIn', `contain the engine "${DEFAULT_ENGINE}"`)
  check(
    names.every((name, index) => isEngineName(name) && names.indexOf(name) === index),
    'builtIn',
    'have names in kebab-case, each once',
  )
  const isTime = loadTimeoutMs > 0 && loadTimeoutMs <= MAX_TIMEOUT
  check(isTime, 'loadTimeoutMs', `be above 0 and at most ${MAX_TIMEOUT}`)
}
