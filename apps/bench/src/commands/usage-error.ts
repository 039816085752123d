import { PalimpsestError } from '@palimpsest/core'
import { CommanderError } from 'commander'

export class UsageError extends Error {}

const EXIT_FAILED = 2

export function reportFailure(error: unknown, stderr: NodeJS.WritableStream): number {
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
