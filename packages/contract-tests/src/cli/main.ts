#!/usr/bin/env node
import { Console } from 'node:console'
import { errorText } from '@palimpsest/core'
import { UsageError } from './read-arguments.ts'
import { runCommand } from './run-command.ts'

// Engines' output must not end up in a report.
globalThis.console = new Console(process.stderr)

try {
  const exitCode = await runCommand(process.argv.slice(2), process.cwd(), (text) =>
    process.stdout.write(text),
  )
  // Ends the process even if an engine has left something open.
  process.stdout.write('', () => process.exit(exitCode))
} catch (error) {
  const fault =
    error instanceof UsageError ? '' : ' (this is a fault of palimpsest-contract: please report it)'
  process.stderr.write(`palimpsest-contract: ${errorText(error).replaceAll('\n', '; ')}${fault}\n`)
  process.exit(2)
}
