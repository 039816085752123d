import { type EngineEntry, setEngineChoice } from '@palimpsest/core/discovery'
import { replaceFile } from '../replace-file.ts'
import { UsageError } from '../usage-error.ts'
import { optionsBlock } from './choose-engine.ts'
import { type ConfigFile, readConfigFile, tellFaults } from './configuration.ts'

export async function useEngine(
  file: string | undefined,
  name: string,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const config = await readConfigFile(file, process.cwd(), { mayBeMissing: true })
  const entry = await usable(config, name)
  const text = setEngineChoice(config.text, name, { fileName: config.path })
  const changed = text !== config.text
  if (changed) await replaceFile(config.path, text)
  if (json)
    process.stdout.write(
      `${JSON.stringify({ engine: entry.name, choice: name, config: config.path, changed })}\n`,
    )
  else process.stdout.write(message(config, name, entry, changed))
  const written = await readConfigFile(file, process.cwd())
  tellFaults(written, await written.discovery.list({ choice: name }))
}

async function usable({ discovery }: ConfigFile, name: string): Promise<EngineEntry> {
  const entry = await discovery.find(name)
  if (entry?.available === false) throw new UsageError(`the engine "${name}" cannot be used: ${entry.reason}`)
  // Fails before anything is written if the chosen engine cannot run.
  return (await discovery.resolve(name, { strict: true })).entry
}

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
