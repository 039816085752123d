import type { ReadStream, WriteStream } from 'node:tty'
import { UsageError } from '../usage-error.ts'
import type { ConfigFile } from './configuration.ts'
import { describeEntry } from './engine-lines.ts'

/** Where a person sits. */
export interface Terminal {
  readonly input: ReadStream
  readonly output: WriteStream
}

/**
 * Asks a person at a terminal which engine to use; undefined when they cancel. What is chosen now is where the
 * cursor stands, also when it was not found; what cannot be used is shown and cannot be picked.
 *
 * @throws UsageError when there is no terminal.
 */
export async function pickEngine(
  { choice, discovery }: ConfigFile,
  { input, output }: Terminal = { input: process.stdin, output: process.stdout },
): Promise<string | undefined> {
  const engines = await discovery.list({ choice })
  if (!input.isTTY || !output.isTTY) {
    const names = engines.filter(({ available }) => available).map(({ name }) => name)
    throw new UsageError(`name the engine, because there is no terminal to ask on: ${names.join(', ')}`)
  }
  const { isCancel, select } = await import('@clack/prompts')
  const current = engines.find(({ chosen }) => chosen)
  const picked = await select({
    input,
    output,
    message: 'Which context engine?',
    initialValue: current?.name ?? choice,
    options: engines.map((entry) => ({
      value: entry.name,
      label: entry === current ? `${entry.name} (current)` : entry.name,
      hint: describeEntry(entry),
      disabled: !entry.available,
    })),
  })
  return isCancel(picked) ? undefined : picked
}
