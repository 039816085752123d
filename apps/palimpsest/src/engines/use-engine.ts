import { setEngineChoice } from '@palimpsest/core/config'
import { DEFAULT_ENGINE, type EngineEntry } from '@palimpsest/core/discovery'
import { replaceFile } from '../replace-file.ts'
import { UsageError } from '../usage-error.ts'
import { type ConfigFile, readConfigFile } from './configuration.ts'
import { unknownEngine } from './info-engine.ts'
import { pickEngine } from './pick-engine.ts'

/** What a person gets who changes their mind at the question. */
const EXIT_CANCELLED = 130

/**
 * Writes the choice of an engine into the configuration, which it makes if there is none. Nothing else of the file
 * changes. Asks for the engine when none is named.
 *
 * @throws UsageError when there is no such engine, or it cannot be used, or there is nobody to ask.
 */
export async function useEngine(
  file: string | undefined,
  name: string | undefined,
  { json = false }: { readonly json?: boolean },
): Promise<number> {
  const config = await readConfigFile(file, process.cwd(), { mayBeMissing: true })
  const wanted = name ?? (await pickEngine(config))
  if (wanted === undefined) return EXIT_CANCELLED
  const entry = await usable(config, wanted)
  const text = setEngineChoice(config.text, wanted, { fileName: config.path })
  const changed = text !== config.text
  if (changed) await replaceFile(config.path, text)
  if (json)
    process.stdout.write(
      `${JSON.stringify({ engine: entry.name, choice: wanted, config: config.path, changed })}\n`,
    )
  else process.stdout.write(message(config, entry, changed))
  return 0
}

async function usable({ discovery }: ConfigFile, name: string): Promise<EngineEntry> {
  const entry = await discovery.find(name)
  if (entry === undefined) throw await unknownEngine(discovery, name)
  if (!entry.available) throw new UsageError(`the engine "${name}" cannot be used: ${entry.reason}`)
  return entry
}

function message({ path, choice }: ConfigFile, { name, version }: EngineEntry, changed: boolean): string {
  const engine = version === undefined ? name : `${name} ${version}`
  if (!changed) return `${path} names ${engine} already; nothing was changed.\n`
  const block = name === DEFAULT_ENGINE ? 'compression' : name
  const before = choice === name ? '' : ` (was ${choice})`
  return `${path}: context.engine is ${engine} now${before}. Its options go into the block "${block}:".\n`
}
