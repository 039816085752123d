#!/usr/bin/env node
import { createProgram } from './create-program.ts'
import { reportFailure } from './report-failure.ts'

try {
  await createProgram().parseAsync()
} catch (error) {
  process.exitCode = reportFailure(error)
}
