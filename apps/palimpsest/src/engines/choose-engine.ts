import type { EngineDefinition, Warning } from '@palimpsest/core'
import type { Config } from '@palimpsest/core/config'
import { DEFAULT_ENGINE, type EngineSource } from '@palimpsest/core/discovery'
import type { Configuration } from './configuration.ts'
import { noteEngine } from './engine-at-work.ts'

/** What the command line says about the engine; it wins over the configuration. */
export interface EngineFlags {
  readonly engine?: string
  readonly profile?: 'lean' | 'classic'
  readonly threshold?: number
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
 * @throws UnknownEngineError, EngineUnavailableError for a flag, and with `context.strict`.
 */
export async function chooseEngine(
  { config, discovery }: Configuration,
  flags: EngineFlags,
): Promise<ChosenEngine> {
  const strict = flags.engine !== undefined || config.context.strict
  const choice = flags.engine ?? config.context.engine
  noteEngine(choice, 'was being loaded')
  const { definition, entry, warnings } = await discovery.resolve(choice, { strict })
  noteEngine(entry.name, 'was running')
  return { definition, source: entry.source, options: engineOptions(entry.name, config, flags), warnings }
}

/** The block of `config.yaml` that an engine's options go into. */
export function optionsBlock(name: string): string {
  return name === DEFAULT_ENGINE ? 'compression' : name
}

/** The block of the engine's name; the compressor also has `compression`, whose keys are its own. */
export function engineOptions(
  name: string,
  config: Config,
  { profile, threshold }: EngineFlags,
): Record<string, unknown> {
  const { enabled: _, ...compression } = config.compression
  return {
    ...(name === DEFAULT_ENGINE && { profile: 'lean', ...compression }),
    ...config.engines[name],
    ...(profile !== undefined && { profile }),
    ...(threshold !== undefined && { threshold }),
  }
}
