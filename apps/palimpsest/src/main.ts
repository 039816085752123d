#!/usr/bin/env node
import { assertNodeVersion } from './assert-node-version.ts'
import { createProgram } from './create-program.ts'
import { reportFailure } from './report-failure.ts'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever reads the output may stop early, as `head` does: that is no error.
  process.exit(error.code === 'EPIPE' ? 0 : reportFailure(error))
})

try {
  assertNodeVersion(process.versions.node)
  await createProgram().parseAsync()
} catch (error) {
  process.exitCode = reportFailure(error)
}
