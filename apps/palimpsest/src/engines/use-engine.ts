import type { ReadStream, WriteStream } from 'node:tty'
import { type EngineEntry, setEngineChoice } from '@palimpsest/core/discovery'
import { replaceFile } from '../replace-file.ts'
import { UsageError } from '../usage-error.ts'
import { optionsBlock } from './choose-engine.ts'
import { type ConfigFile, readConfigFile } from './configuration.ts'
import { hintFor } from './engine-lines.ts'
import { findEngine } from './info-engine.ts'

/** The exit code of a question that was cancelled. */
const EXIT_CANCELLED = 130

/**
 * Writes the choice of an engine into the configuration, which it makes if there is none. Other values and comments
 * stay. Asks for the engine when none is named.
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

/** Where a person sits. */
export interface Terminal {
  readonly input: ReadStream
  readonly output: WriteStream
}

/**
 * Asks a person at a terminal which engine to use; undefined when they cancel or the input ends. The cursor stands on
 * what is chosen now, else on the first engine; what cannot be used is shown at the end and cannot be picked.
 */
export async function pickEngine(
  { choice, discovery }: ConfigFile,
  { input, output }: Terminal = { input: process.stdin, output: process.stdout },
): Promise<string | undefined> {
  const found = await discovery.list({ choice })
  const engines = [...found.filter(isUsable), ...found.filter((entry) => !isUsable(entry))]
  if (!input.isTTY || !output.isTTY) {
    const names = engines.filter(isUsable).map(({ name }) => name)
    throw new UsageError(`name the engine, because there is no terminal to ask on: ${names.join(', ')}`)
  }
  const { isCancel, select } = await import('@clack/prompts')
  const current = engines.find(({ chosen }) => chosen)
  const first = current?.available ? current : engines[0]
  const end = new AbortController()
  const onEnd = () => end.abort()
  // The question itself does not notice that nothing can be typed any more.
  const onKey = (_: unknown, key?: { readonly ctrl?: boolean; readonly name?: string }) => {
    if (key?.ctrl && key.name === 'd') onEnd()
  }
  input.once('end', onEnd).on('keypress', onKey)
  const picked = await select({
    input,
    output,
    signal: end.signal,
    message: 'Which context engine?',
    initialValue: first?.name ?? choice,
    options: engines.map((entry) => ({
      value: entry.name,
      label: entry === current ? `${entry.name} (current)` : entry.name,
      hint: hintFor(entry),
      disabled: !entry.available,
    })),
  })
  input.off('end', onEnd).off('keypress', onKey)
  return isCancel(picked) ? undefined : picked
}

function isUsable({ available }: EngineEntry): boolean {
  return available
}
