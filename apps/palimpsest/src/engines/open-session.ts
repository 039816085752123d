import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type ContextSession,
  type ContextSessionOptions,
  createContextSession,
  errorText,
  PalimpsestError,
} from '@palimpsest/core'
import { DEFAULT_ENGINE } from '@palimpsest/core/discovery'
import { firstLine } from '../report-failure.ts'
import { UsageError } from '../usage-error.ts'
import { type ChosenEngine, chooseEngine, type EngineFlags, optionsBlock } from './choose-engine.ts'
import type { Configuration } from './configuration.ts'

export type SessionParts = Omit<
  ContextSessionOptions<Record<string, unknown>>,
  'engine' | 'options' | 'dataFolder'
>

/** Falls back to the compressor, with a warning, if a third-party engine cannot be created. */
export async function openSession(
  configuration: Configuration,
  flags: EngineFlags,
  given: ChosenEngine,
  parts: SessionParts,
): Promise<{ readonly session: ContextSession; readonly chosen: ChosenEngine }> {
  const open = async (chosen: ChosenEngine) => {
    const folder = await dataFolder(configuration.home, chosen)
    const { definition: engine, options } = chosen
    return { session: createContextSession({ ...parts, engine, options, dataFolder: folder }), chosen }
  }
  const { definition, source, warnings } = given
  try {
    return await open(given)
  } catch (error) {
    if (isOptionError(error)) {
      const origin = optionOrigin(definition.name, error.path, configuration, flags)
      throw new UsageError(`${errorText(error)} (${origin})`, { cause: error })
    }
    if (source === 'built-in') throw error
    const reason = firstLine(error)
    if (flags.engine !== undefined || configuration.config.context.strict)
      throw new PalimpsestError(
        'ENGINE_UNAVAILABLE',
        `the context engine "${definition.name}" cannot be used: ${reason}`,
        { cause: error },
      )
    const fallback = await chooseEngine(configuration, { engine: DEFAULT_ENGINE })
    const message = `the engine "${definition.name}" could not be created (${reason}); the session runs on the built-in ${DEFAULT_ENGINE} instead (context.strict: true makes this an error)`
    return open({ ...fallback, warnings: [...warnings, { code: 'engine-unavailable', message }] })
  }
}

/** An engine may bring its own core, so the class does not decide. */
function isOptionError(error: unknown): error is PalimpsestError & { readonly path?: unknown } {
  return PalimpsestError.isInstance(error) && error.code === 'INVALID_OPTION'
}

function optionOrigin(
  name: string,
  path: unknown,
  { config, fileOf }: Configuration,
  flags: EngineFlags,
): string {
  const option = String(path).split('.').at(-1)
  if (option === 'profile' && flags.profile !== undefined) return 'from --profile'
  if (option === 'threshold' && flags.threshold !== undefined) return 'from --threshold'
  const block = Object.hasOwn(config.engines, name) ? name : optionsBlock(name)
  return `in the block "${block}:" of ${fileOf(block, ...(option === undefined ? [] : [option]))}`
}

/**
 * A private folder for a third-party engine; ours get their stores' places. Failing to create it is left to the engine.
 */
async function dataFolder(home: string, { definition, source }: ChosenEngine): Promise<string> {
  const folder = join(home, 'engines', definition.name)
  if (source !== 'built-in') await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => {})
  return folder
}
