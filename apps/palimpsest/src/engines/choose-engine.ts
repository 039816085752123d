import type { EngineDefinition, Warning } from '@palimpsest/core'
import { type Config, DEFAULT_ENGINE, type EngineSource } from '@palimpsest/core/discovery'
import { namedPlace } from '../stores/find-store-place.ts'
import type { StorePlace } from '../stores/store-place.ts'
import { UsageError } from '../usage-error.ts'
import type { Configuration } from './configuration.ts'
import { DECISIONS, decisionsOptions } from './decisions-options.ts'
import { noteEngine } from './engine-at-work.ts'
import { LCM, lcmOptions } from './lcm-options.ts'

/** The command line's part; it wins over the configuration. */
export interface EngineFlags {
  readonly engine?: string
  readonly profile?: string
  readonly threshold?: number
  /** The store, a file or the address of a database, for an engine that has one. */
  readonly store?: string
  /** The same, of who has found it already. */
  readonly place?: StorePlace
}

/** An engine with the options that the user gave it. */
export interface ChosenEngine {
  readonly definition: EngineDefinition
  readonly source: EngineSource
  readonly options: Record<string, unknown>
  /** Why it is not the engine that was asked for. */
  readonly warnings: readonly Warning[]
}

/**
 * Loads the engine that the flag or the configuration names; the compressor, with a warning, when the configured one
 * cannot be loaded.
 *
 * @throws UnknownEngineError, EngineUnavailableError for a flag, and with `context.strict`; UsageError for a store
 * that the engine does not have.
 */
export async function chooseEngine(configuration: Configuration, flags: EngineFlags): Promise<ChosenEngine> {
  const { config, discovery } = configuration
  const strict = flags.engine !== undefined || config.context.strict
  const choice = flags.engine ?? config.context.engine
  noteEngine(choice, 'was being loaded')
  const { definition, entry, warnings } = await discovery.resolve(choice, { strict })
  noteEngine(entry.name, 'was running')
  const hasStore = (entry.name === LCM || entry.name === DECISIONS) && entry.source === 'built-in'
  if (flags.store !== undefined && !hasStore)
    throw new UsageError(
      `--store is for --engine lcm and decisions: the engine "${entry.name}" keeps nothing in a store`,
    )
  const options = hasStore
    ? await storeOptions(entry.name, configuration, flags)
    : engineOptions(entry.name, config, flags)
  const chosen = { definition, source: entry.source, options, warnings }
  const unused = unusedCompression(chosen, configuration)
  return unused === undefined ? chosen : { ...chosen, warnings: [...warnings, unused] }
}

/** For people: the engine, and the one that compacts inside of it, as in `decisions over lcm`. */
export function engineTitle(chosen: ChosenEngine): string {
  const { name } = chosen.definition
  const inner = innerEngine(chosen)
  return inner === undefined ? name : `${name} over ${inner}`
}

function innerEngine({ definition, source, options }: ChosenEngine): string | undefined {
  if (definition.name !== DECISIONS || source !== 'built-in') return undefined
  return (options.compaction as { readonly engine: EngineDefinition } | undefined)?.engine.name
}

/** The block `compression:` is for the compressor alone, but for `enabled`. */
function unusedCompression(chosen: ChosenEngine, { config, path }: Configuration): Warning | undefined {
  const { enabled: _, ...options } = config.compression
  const keys = Object.entries(options).flatMap(([key, value]) => (value === undefined ? [] : [key]))
  const { name } = chosen.definition
  const inner = innerEngine(chosen)
  if (keys.length === 0 || name === DEFAULT_ENGINE || inner === DEFAULT_ENGINE) return undefined
  const blocks = [name, ...(inner === undefined ? [] : [inner])].map((block) => `"${block}:"`)
  return {
    code: 'compression-unused',
    message: `the block "compression:" of ${path} (${keys.join(', ')}) has no effect: its options are those of the ${DEFAULT_ENGINE}, and ${engineTitle(chosen)} runs, whose options go into ${blocks.join(' and ')}`,
  }
}

/** The options of an engine of ours that has a store. */
async function storeOptions(
  name: string,
  configuration: Configuration,
  flags: EngineFlags,
): Promise<Record<string, unknown>> {
  const place = flags.place ?? namedPlace(name, configuration, flags.store)
  const options = engineOptions(name, configuration.config, flags)
  if (name === LCM) return lcmOptions(options, place)
  // The engine inside is the one that compacts.
  const { threshold } = flags
  const optionsOf = (engine: string) =>
    engineOptions(engine, configuration.config, threshold === undefined ? {} : { threshold })
  return decisionsOptions({ options, optionsOf, place })
}

/** The block of `config.yaml` that an engine's options go into. */
export function optionsBlock(name: string): string {
  return name === DEFAULT_ENGINE ? 'compression' : name
}

/** The block of the engine's name; the compressor also has `compression`, whose keys are its own. */
function engineOptions(
  name: string,
  config: Config,
  { profile, threshold }: EngineFlags,
): Record<string, unknown> {
  const { enabled: _, ...compression } = config.compression
  return {
    ...(name === DEFAULT_ENGINE && compression),
    ...config.engines[name],
    ...(profile !== undefined && { profile }),
    ...(threshold !== undefined && { threshold }),
  }
}

/** Why a session has the engine `name`, for a line that people read. */
export function engineOrigin(
  name: string,
  { isNamed, choice, path }: Pick<Configuration, 'isNamed' | 'choice' | 'path'>,
  flag: string | undefined,
  byDefault: string,
): string {
  if (flag !== undefined) return ', named by --engine'
  if (isNamed && choice !== name) return `, in the place of ${choice}, which ${path} names`
  return isNamed ? `, named in ${path}` : `: ${byDefault}; context.engine names another`
}
