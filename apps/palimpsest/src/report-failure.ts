import { errorText, PalimpsestError } from '@palimpsest/core'
import { CommanderError } from 'commander'
import { UsageError } from './usage-error.ts'

/** Exit codes: 1 for faults that the run found, 2 for a wrong input, call or engine. */
export const EXIT_FOUND = 1
export const EXIT_USAGE = 2

export function reportFailure(error: unknown): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  // Called without a command, which prints the help.
  if (error instanceof CommanderError && error.code === 'commander.help') return EXIT_USAGE
  const message = error instanceof Error ? error.message.replace(/^error: /, '') : String(error)
  const expected =
    error instanceof UsageError ||
    error instanceof CommanderError ||
    PalimpsestError.isInstance(error) ||
    isSystemError(error)
  process.stderr.write(
    `palimpsest: ${message.trim().replaceAll('\n(', ' (').replaceAll('\n', '; ')}${expected ? '' : ' (this is a bug: please report it)'}\n`,
  )
  if (process.env.PALIMPSEST_DEBUG === '1' && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  return EXIT_USAGE
}

export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error
}

export function firstLine(error: unknown): string {
  return errorText(error).split('\n', 1)[0] ?? ''
}
