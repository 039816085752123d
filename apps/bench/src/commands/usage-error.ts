import { PalimpsestError } from '@palimpsest/core'
import { CommanderError } from 'commander'

/** A wrong argument or option: its message says what would be right, in one line. */
export class UsageError extends Error {}

const EXIT_FAILED = 2

/** One line for a failure, and its exit code. The stack of what is our own fault goes with it. */
export function reportFailure(error: unknown, stderr: NodeJS.WritableStream): number {
  // Help and version were asked for and were printed.
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  const message = error instanceof Error ? error.message.replace(/^error: /, '') : String(error)
  stderr.write(`bench: ${message.trim().replaceAll(/\s*\n\s*/g, '; ')}\n`)
  if (error instanceof Error && !isExpected(error)) stderr.write(`${error.stack}\n`)
  return EXIT_FAILED
}

function isExpected(error: Error): boolean {
  return (
    error instanceof UsageError ||
    error instanceof CommanderError ||
    PalimpsestError.isInstance(error) ||
    'syscall' in error
  )
}
