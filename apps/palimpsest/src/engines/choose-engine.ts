import type { EngineDefinition, Warning } from '@palimpsest/core'
import { type Config, DEFAULT_ENGINE, type EngineSource } from '@palimpsest/core/discovery'
import type { Configuration } from './configuration.ts'
import { DECISIONS, decisionsOptions } from './decisions-options.ts'

export interface EngineFlags {
  readonly engine?: string
  readonly profile?: string
  readonly threshold?: number
}

export interface ChosenEngine {
  readonly definition: EngineDefinition
  readonly source: EngineSource
  readonly options: Record<string, unknown>
  readonly warnings: readonly Warning[]
}

/** Loads the chosen engine, or the compressor with a warning if the configured one cannot be loaded. */
export async function chooseEngine(configuration: Configuration, flags: EngineFlags): Promise<ChosenEngine> {
  const { config, discovery } = configuration
  const strict = flags.engine !== undefined || config.context.strict
  const choice = flags.engine ?? config.context.engine
  const { definition, entry, warnings } = await discovery.resolve(choice, { strict })
  const options =
    entry.name === DECISIONS && entry.source === 'built-in'
      ? await optionsOfDecisions(config, flags)
      : engineOptions(entry.name, config, flags)
  const chosen = { definition, source: entry.source, options, warnings }
  const unused = unusedCompression(chosen, configuration)
  return unused === undefined ? chosen : { ...chosen, warnings: [...warnings, unused] }
}

export function engineTitle(chosen: ChosenEngine): string {
  const { name } = chosen.definition
  const inner = innerEngine(chosen)
  return inner === undefined ? name : `${name} over ${inner}`
}

function innerEngine({ definition, source, options }: ChosenEngine): string | undefined {
  if (definition.name !== DECISIONS || source !== 'built-in') return undefined
  return (options.compaction as { readonly engine: EngineDefinition } | undefined)?.engine.name
}

/** The options of the block `compression:` that only the compressor has. */
function compressorOptions({ compression: { enabled: _, compact_at: __, ...options } }: Config) {
  return options
}

function unusedCompression(chosen: ChosenEngine, { config, path }: Configuration): Warning | undefined {
  const keys = Object.entries(compressorOptions(config)).flatMap(([key, value]) =>
    value === undefined ? [] : [key],
  )
  const { name } = chosen.definition
  const inner = innerEngine(chosen)
  if (keys.length === 0 || name === DEFAULT_ENGINE || inner === DEFAULT_ENGINE) return undefined
  const blocks = [name, ...(inner === undefined ? [] : [inner])].map((block) => `"${block}:"`)
  return {
    code: 'compression-unused',
    message: `the block "compression:" of ${path} (${keys.join(', ')}) has no effect: its options are those of the ${DEFAULT_ENGINE}, and ${engineTitle(chosen)} runs, whose options go into ${blocks.join(' and ')}`,
  }
}

function optionsOfDecisions(config: Config, flags: EngineFlags): Promise<Record<string, unknown>> {
  // The inner engine compacts.
  const { threshold } = flags
  const optionsOf = (engine: string) =>
    engineOptions(engine, config, threshold === undefined ? {} : { threshold })
  return decisionsOptions({ options: engineOptions(DECISIONS, config, flags), optionsOf })
}

export function optionsBlock(name: string): string {
  return name === DEFAULT_ENGINE ? 'compression' : name
}

function engineOptions(
  name: string,
  config: Config,
  { profile, threshold }: EngineFlags,
): Record<string, unknown> {
  return {
    ...(name === DEFAULT_ENGINE && compressorOptions(config)),
    ...config.engines[name],
    ...(profile !== undefined && { profile }),
    ...(threshold !== undefined && { threshold }),
  }
}

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
