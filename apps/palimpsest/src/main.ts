#!/usr/bin/env node
import { Console } from 'node:console'
import { assertNodeVersion } from './assert-node-version.ts'
import { hideSqliteWarning } from './hide-sqlite-warning.ts'
import { keepCompiled } from './keep-compiled.ts'
import { endNow, endProgram, watchForFailures } from './program-end.ts'
import { reportFailure } from './report-failure.ts'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader may stop early, as `head` does; that is no error.
  endNow(error.code === 'EPIPE' ? 0 : reportFailure(error))
})
// Standard output is for the report; engines' output must not mix with it.
globalThis.console = new Console(process.stderr)
hideSqliteWarning()
keepCompiled(process.env)
watchForFailures()

try {
  assertNodeVersion(process.versions.node)
  // Imported late: an old Node would fail on its imports with a stack.
  if (process.argv[2] === 'hook') {
    // A host waits for each call, so nothing else is loaded.
    const { hookCommand } = await import('./commands/hook.ts')
    const command = hookCommand().configureOutput({ outputError() {} })
    await command.parseAsync(process.argv.slice(3), { from: 'user' })
  } else {
    const { createProgram } = await import('./create-program.ts')
    await createProgram().parseAsync()
  }
} catch (error) {
  process.exitCode = reportFailure(error)
}
await endProgram(Number(process.exitCode ?? 0))
