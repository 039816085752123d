#!/usr/bin/env node
import { createBench } from './commands/create-bench.ts'
import { reportFailure } from './commands/usage-error.ts'

const { stdout, stderr } = process
stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : reportFailure(error, stderr))
})

try {
  const root = new URL('..', import.meta.url)
  await createBench({ root, stdout, stderr, now: () => new Date() }).parseAsync()
} catch (error) {
  process.exitCode = reportFailure(error, stderr)
}
