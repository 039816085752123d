import { once } from 'node:events'
import { errorText } from '@palimpsest/core'
import { runJob } from './run-job.ts'
import { catchStrayErrors } from './stray-errors.ts'
import { UsageError } from './usage-error.ts'
import type { WorkerJob, WorkerMessage } from './worker-messages.ts'

// The process that engines run in: whatever one does to it, the command that started it goes on.
// It takes its job as the first message, and is ended from outside.

const post = process.send?.bind(process)
const send = (message: WorkerMessage): Promise<void> =>
  new Promise((resolve, reject) => {
    if (post === undefined) return reject(new Error('a worker needs the command that starts it'))
    // Waiting for the delivery gives the event loop a turn between cases.
    post(message, undefined, undefined, (error) => (error === null ? resolve() : reject(error)))
  })

// Ctrl-C reaches the whole group of processes; the command cleans up and ends this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())

const [job] = (await once(process, 'message')) as [WorkerJob]
try {
  await runJob(job, catchStrayErrors(), send)
} catch (error) {
  const reason =
    error instanceof UsageError
      ? error.message
      : `this is a fault of palimpsest-contract: ${errorText(error)}`
  await send({ type: 'refused', reason })
}
