#!/usr/bin/env node
import { createProgram } from './create-program.ts'
import { reportFailure } from './report-failure.ts'

// Whoever reads the output may stop early, as `head` does: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

try {
  await createProgram().parseAsync()
} catch (error) {
  process.exitCode = reportFailure(error)
}
