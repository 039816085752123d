import { isAbsolute } from 'node:path'
import { isEngineName } from '../engine/engine-name.ts'
import { EngineUnavailableError, InvalidOptionError, UnknownEngineError } from '../errors/errors.ts'
import { closestName } from '../options.ts'
import type { EngineDefinition } from '../spec/v1/engine-definition.ts'
import type { Warning } from '../spec/v1/warning.ts'
import { DEFAULT_ENGINE } from './config/config-schema.ts'
import { describeInvalidChoice, isPackageName } from './config/package-name.ts'
import type {
  BuiltInEngine,
  Candidate,
  EngineDiscovery,
  EngineDiscoveryOptions,
  EngineEntry,
  ResolvedEngine,
} from './discovery-types.ts'
import { API_VERSION } from './engine-manifest.ts'
import { type FoundCandidates, findCandidates } from './find-candidates.ts'
import { checkDefinition, loadDefinition } from './load-definition.ts'
import { errorLine, oneLine } from './one-line.ts'

/** Milliseconds. */
const DEFAULT_LOAD_TIMEOUT = 10_000

/**
 * Finds the context engines of an application: its own, folders in `plugins/context_engine/` of the application and
 * of the user, registered ones, and npm packages. Nothing is imported before it is chosen, and a broken one hides no
 * other. Nothing is remembered between calls, except that Node loads a module once per process.
 *
 * @throws InvalidOptionError
 */
export function createEngineDiscovery(options: EngineDiscoveryOptions): EngineDiscovery {
  const { root, userRoot, builtIn, loadTimeoutMs = DEFAULT_LOAD_TIMEOUT } = options
  checkDiscoveryOptions({ root, userRoot, builtIn, loadTimeoutMs })
  const builtIns = builtIn.map(builtInCandidate)
  const registry = createEngineRegistry(builtIns.map(({ entry }) => entry.name))

  const look = (choice?: string) =>
    findCandidates({ root, userRoot, given: [...builtIns, ...registry.candidates()] }, choice)

  /** Asks the disk only where it can have the answer. */
  const locate = async (choice: string): Promise<FoundCandidates> => {
    const chosen = builtIns.find(({ claim }) => claim === choice)
    if (chosen !== undefined) return { candidates: builtIns, chosen }
    return isPackageName(choice) ? look(choice) : { candidates: builtIns }
  }

  const load = async (choice: string): Promise<ResolvedEngine> => {
    const { candidates, chosen } = await locate(choice)
    if (chosen === undefined) throw unknownEngine(choice, candidates)
    const { entry, load } = chosen
    if (load === undefined) throw new EngineUnavailableError(choice, entry.reason ?? '')
    try {
      return { ...(await loadDefinition(entry.name, load, loadTimeoutMs)), entry }
    } catch (cause) {
      throw new EngineUnavailableError(choice, errorLine(cause), { cause })
    }
  }

  return {
    registerContextEngine: registry.register,
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

function builtInCandidate(engine: BuiltInEngine): Candidate {
  const { name, version, description } = engine
  return {
    entry: { name, version, description, source: 'built-in', available: true },
    claim: name,
    load: () => engine.load(),
  }
}

function missingEntry(choice: string): EngineEntry {
  const reason = isPackageName(choice) ? 'not found' : describeInvalidChoice(choice)
  return {
    name: typeof choice === 'string' ? oneLine(choice) : typeof choice,
    source: 'none',
    available: false,
    reason: oneLine(reason),
    chosen: true,
  }
}

function fallbackWarning(error: unknown): Warning {
  return {
    code: error instanceof UnknownEngineError ? 'engine-not-found' : 'engine-unavailable',
    message: `${error instanceof Error ? error.message : errorLine(error)}; the session runs on the built-in ${DEFAULT_ENGINE} instead (context.strict: true makes this an error)`,
  }
}

/** The error for a choice that nothing has, with what could have been meant and what could not be looked at. */
function unknownEngine(choice: string, candidates: readonly Candidate[]): UnknownEngineError {
  const names = candidates.filter(({ entry }) => entry.available).map(({ entry }) => entry.name)
  if (!isPackageName(choice))
    return new UnknownEngineError(choice, names, oneLine(describeInvalidChoice(choice)))
  const meant = closestName(choice, names)
  const parts = [
    `the context engine "${choice}" was not found${meant === undefined ? '' : ` (did you mean "${meant}"?)`}`,
    `available: ${names.join(', ')}`,
    ...candidates.filter(isWholeSource).map(({ entry }) => `${entry.name}: ${entry.reason}`),
  ]
  return new UnknownEngineError(choice, names, parts.join('; '))
}

/** A source that could not be read as a whole stands in the list under its path. */
function isWholeSource({ entry }: Candidate): boolean {
  return entry.name.startsWith('./')
}

/** The longest delay of a timer, in milliseconds. */
const MAX_TIMEOUT = 2 ** 31 - 1

type CheckedOptions = Required<Omit<EngineDiscoveryOptions, 'userRoot'>> & {
  readonly userRoot: string | undefined
}

/** @throws InvalidOptionError for what a host can get wrong. */
function checkDiscoveryOptions(options: CheckedOptions): void {
  const { root, userRoot, builtIn, loadTimeoutMs } = options
  if (typeof root !== 'string' || !isAbsolute(root))
    throw new InvalidOptionError('root', 'root must be the absolute path of the folder of config.yaml')
  if (userRoot !== undefined && (typeof userRoot !== 'string' || !isAbsolute(userRoot)))
    throw new InvalidOptionError('userRoot', "userRoot must be the absolute path of the user's folder")
  const names = builtIn.map(({ name }) => name)
  const wrong = names.find((name, index) => !isEngineName(name) || names.indexOf(name) < index)
  if (wrong !== undefined)
    throw new InvalidOptionError(
      'builtIn',
      `builtIn: the name "${wrong}" must be kebab-case and stand there once`,
    )
  if (!names.includes(DEFAULT_ENGINE))
    throw new InvalidOptionError('builtIn', `builtIn must contain the engine "${DEFAULT_ENGINE}"`)
  if (!(loadTimeoutMs > 0 && loadTimeoutMs <= MAX_TIMEOUT))
    throw new InvalidOptionError('loadTimeoutMs', `loadTimeoutMs must be above 0 and at most ${MAX_TIMEOUT}`)
}

/** The engines that were registered in code, at most one of a name. */
interface EngineRegistry {
  /**
   * Returns the warning that refuses a name that is taken.
   *
   * @throws InvalidEngineError for what `defineContextEngine` did not return.
   */
  register(definition: EngineDefinition): Warning | undefined
  candidates(): Candidate[]
}

/** @param builtIn names that are taken; an engine that claims one of them is kept for the list only. */
function createEngineRegistry(builtIn: readonly string[]): EngineRegistry {
  const registered = new Map<
    string,
    { readonly definition: EngineDefinition; readonly candidate: Candidate }
  >()
  return {
    register(definition) {
      const facts = checkDefinition(definition)
      const { name } = facts
      const known = registered.get(name)
      if (known === undefined) {
        const entry = { ...facts, apiVersion: API_VERSION, source: 'registered', available: true } as const
        const load = async () => ({ default: definition })
        registered.set(name, { definition, candidate: { entry, claim: name, load } })
      }
      if (builtIn.includes(name)) return refusal(name, 'a built-in engine')
      const isFree = known === undefined || known.definition === definition
      return isFree ? undefined : refusal(name, 'another registered engine')
    },
    candidates: () => Array.from(registered.values(), ({ candidate }) => candidate),
  }
}

function refusal(name: string, owner: string): Warning {
  return {
    code: 'engine-name-taken',
    message: `an engine named "${name}" was not registered, because the name belongs to ${owner}; give it another name`,
  }
}
