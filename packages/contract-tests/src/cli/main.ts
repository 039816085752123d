#!/usr/bin/env node
import { Console } from 'node:console'

const OLDEST = { major: 22, minor: 19 }
const end = (code: number, text: string): never => {
  process.stderr.write(`palimpsest-contract: ${text}\n`)
  process.exit(code)
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor))
  end(2, `needs Node ${OLDEST.major}.${OLDEST.minor} or later, and this is ${process.versions.node}`)

// Engines' output must not end up in a report.
globalThis.console = new Console(process.stderr)

// Imported late: an old Node would fail on the imports.
const { errorText } = await import('@palimpsest/core')
const { UsageError } = await import('./read-arguments.ts')
const { runCommand } = await import('./run-command.ts')
try {
  const exitCode = await runCommand(process.argv.slice(2), process.cwd(), (text) =>
    process.stdout.write(text),
  )
  // Ends the process even if an engine has left something open.
  process.stdout.write('', () => process.exit(exitCode))
} catch (error) {
  const fault =
    error instanceof UsageError ? '' : ' (this is a fault of palimpsest-contract: please report it)'
  end(2, `${errorText(error).replaceAll('\n', '; ')}${fault}`)
}
