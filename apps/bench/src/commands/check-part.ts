import type { Command } from 'commander'
import type { Part } from './bench-options.ts'
import { UsageError } from './usage-error.ts'

/** Options that only some parts look at, by their name. */
const ONLY: Readonly<Record<string, readonly Part[]>> = {
  engines: ['recall', 'cost'],
  budgets: ['recall', 'cost'],
  seed: ['cost', 'speed'],
  seeds: ['recall'],
  judge: ['recall'],
  windows: ['cost'],
  messages: ['speed'],
}

/**
 * Refuses options that would change nothing.
 *
 * @throws UsageError
 */
export function checkPart(part: Part | undefined, command: Command): void {
  if (part === undefined) return
  for (const [name, parts] of Object.entries(ONLY))
    if (command.getOptionValueSource(name) === 'cli' && !parts.includes(part))
      throw new UsageError(`--${name} changes nothing of ${part}: it is for ${parts.join(' and ')}`)
}
