import { errorText, PalimpsestError } from '@palimpsest/core'
import { CommanderError } from 'commander'
import { UsageError } from './usage-error.ts'

/** Exit codes: 1 the run found something wrong, 2 the input, the call or the engine was wrong. */
export const EXIT_FOUND = 1
export const EXIT_USAGE = 2

/** One line on stderr for a failure, and the exit code for it. PALIMPSEST_DEBUG=1 shows the stack too. */
export function reportFailure(error: unknown): number {
  // Help and version were asked for and were printed.
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  // Called without a command: the help was printed instead.
  if (error instanceof CommanderError && error.code === 'commander.help') return EXIT_USAGE
  const message = error instanceof Error ? error.message.replace(/^error: /, '') : String(error)
  const expected =
    error instanceof UsageError ||
    error instanceof CommanderError ||
    PalimpsestError.isInstance(error) ||
    isSystemError(error)
  process.stderr.write(
    `palimpsest: ${message.trim().replaceAll('\n', '; ')}${expected ? '' : ' (this is a bug: please report it)'}\n`,
  )
  if (process.env.PALIMPSEST_DEBUG === '1' && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  return EXIT_USAGE
}

export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error
}

/** The first line of what an error says: what it adds below is for its author. */
export function firstLine(error: unknown): string {
  return errorText(error).split('\n', 1)[0] ?? ''
}
