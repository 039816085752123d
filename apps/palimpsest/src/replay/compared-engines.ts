import { type ChosenEngine, chooseEngine, type EngineFlags } from '../engines/choose-engine.ts'
import { type Configuration, withoutOption } from '../engines/configuration.ts'
import { UsageError } from '../usage-error.ts'

/** An engine that a session is replayed through beside the first one. */
export interface ComparedEngine {
  readonly configuration: Configuration
  readonly engine: ChosenEngine
  readonly flags: EngineFlags
}

/**
 * The engines that `--compare` names, under the same threshold, without any store of the user's: they are only tried. The
 * first engine is not replayed twice.
 *
 * @throws UsageError, UnknownEngineError, EngineUnavailableError
 */
export async function comparedEngines(
  configuration: Configuration,
  names: string | undefined,
  { threshold }: EngineFlags,
  first: ChosenEngine,
): Promise<ComparedEngine[]> {
  if (names === undefined) return []
  const wanted = new Set(names.split(',').map((name) => name.trim()))
  if (wanted.has(''))
    throw new UsageError('--compare wants names of engines with commas between them, as in lcm,decisions')
  wanted.delete(first.definition.name)
  const found: ComparedEngine[] = []
  for (const engine of wanted) {
    const flags = { engine, ...(threshold !== undefined && { threshold }) }
    const bare = withoutOption(configuration, engine, 'store')
    found.push({ configuration: bare, engine: await chooseEngine(bare, flags), flags })
  }
  return found
}
