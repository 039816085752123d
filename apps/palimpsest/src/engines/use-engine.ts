import type { EngineEntry } from '@palimpsest/discovery'
import { setEngineChoice } from '@palimpsest/discovery'
import { replaceFile } from '../replace-file.ts'
import { UsageError } from '../usage-error.ts'
import { optionsBlock } from './choose-engine.ts'
import { type ConfigFile, readConfigFile } from './configuration.ts'
import { findEngine } from './info-engine.ts'
import { pickEngine } from './pick-engine.ts'

/** The exit code of a question that was cancelled. */
const EXIT_CANCELLED = 130

/**
 * Writes the choice of an engine into the configuration, which it makes if there is none. Nothing else of the file
 * changes. Asks for the engine when none is named.
 *
 * @throws UnknownEngineError when there is no such engine, UsageError when it cannot be used or there is no person to ask.
 */
export async function useEngine(
  file: string | undefined,
  name: string | undefined,
  { json = false }: { readonly json?: boolean },
): Promise<number> {
  const config = await readConfigFile(file, process.cwd(), { mayBeMissing: true })
  const wanted = name ?? (await pickEngine(config))
  if (wanted === undefined) {
    process.stderr.write('palimpsest: nothing was changed\n')
    return EXIT_CANCELLED
  }
  const entry = await usable(config, wanted)
  const text = setEngineChoice(config.text, wanted, { fileName: config.path })
  const changed = text !== config.text
  if (changed) await replaceFile(config.path, text)
  if (json)
    process.stdout.write(
      `${JSON.stringify({ engine: entry.name, choice: wanted, config: config.path, changed })}\n`,
    )
  else process.stdout.write(message(config, wanted, entry, changed))
  return 0
}

async function usable({ discovery }: ConfigFile, name: string): Promise<EngineEntry> {
  const entry = await findEngine(discovery, name)
  if (!entry.available) throw new UsageError(`the engine "${name}" cannot be used: ${entry.reason}`)
  return entry
}

/** Names what stands in the file, and the engine that a package's name means. */
function message(
  { path, choice }: ConfigFile,
  written: string,
  { name, version }: EngineEntry,
  changed: boolean,
): string {
  const engine = version === undefined ? name : `${name} ${version}`
  const chosen = written === name ? engine : `${written} (the engine ${engine})`
  if (!changed) return `${path} names ${chosen} already; nothing was changed.\n`
  const before = choice === written ? '' : ` (was ${choice})`
  return `${path}: context.engine is ${chosen} now${before}. Its options go into the block "${optionsBlock(name)}:".\n`
}
