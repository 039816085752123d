import type { ReadStream, WriteStream } from 'node:tty'
import type { EngineEntry } from '@palimpsest/discovery'
import { UsageError } from '../usage-error.ts'
import type { ConfigFile } from './configuration.ts'
import { hintFor } from './engine-lines.ts'

/** Where a person sits. */
export interface Terminal {
  readonly input: ReadStream
  readonly output: WriteStream
}

/**
 * Asks a person at a terminal which engine to use; undefined when they cancel or the input ends. The cursor stands on
 * what is chosen now, else on the first engine; what cannot be used is shown at the end and cannot be picked.
 *
 * @throws UsageError when there is no terminal.
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
