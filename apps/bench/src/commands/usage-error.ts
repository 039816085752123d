import { PalimpsestError } from '@palimpsest/core'
import { CommanderError } from 'commander'

/** A wrong argument or option. The message is one line and names the right one. */
export class UsageError extends Error {}

const EXIT_FAILED = 2

/** Our own faults also print their stack. */
export function reportFailure(error: unknown, stderr: NodeJS.WritableStream): number {
  // Help and version were requested.
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
