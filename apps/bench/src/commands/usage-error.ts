import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
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

/** Checks before hours of work that the files, named by their option, can be written. @throws UsageError */
export function checkOutputs(files: Readonly<Record<string, string | undefined>>): void {
  const seen = new Map<string, string>()
  for (const [option, file] of Object.entries(files)) {
    if (file === undefined) continue
    const path = resolve(file)
    const other = seen.get(path)
    if (other !== undefined) throw new UsageError(`${option} names the same file as ${other}`)
    seen.set(path, option)
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`${option}: ${file} is a folder; name a file`)
    const folder = dirname(path)
    try {
      accessSync(folder, constants.W_OK)
    } catch {
      throw new UsageError(
        `${option}: ${file} cannot be written: the folder ${folder} is missing or read-only`,
      )
    }
  }
}
