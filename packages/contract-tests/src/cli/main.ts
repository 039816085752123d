#!/usr/bin/env node
import { constants } from 'node:os'
import { extname } from 'node:path'
import { errorText } from '@palimpsest/core'
import { UsageError } from './read-arguments.ts'
import { runCommand } from './run-command.ts'

const interruption = new AbortController()
const stop = (exitCode: number): void => {
  process.exitCode = exitCode
  interruption.abort()
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => stop(128 + constants.signals[signal]))
// Whoever reads the output may stop early, as `head` does: what a shell reports for SIGPIPE.
process.stdout.on('error', () => stop(141))

try {
  process.exitCode = await runCommand(process.argv.slice(2), {
    folder: process.cwd(),
    // Beside this file, in the sources as in the build.
    worker: new URL(`./worker${extname(import.meta.url)}`, import.meta.url),
    signal: interruption.signal,
    write: (text) => void process.stdout.write(text),
  })
} catch (error) {
  if (!interruption.signal.aborted) {
    const fault =
      error instanceof UsageError ? '' : ' (this is a fault of palimpsest-contract: please report it)'
    process.stderr.write(`palimpsest-contract: ${errorText(error).replaceAll('\n', '; ')}${fault}\n`)
    process.exitCode = 2
  }
}
