import { once } from 'node:events'
import { errorText } from '@palimpsest/core'
import { UsageError } from './read-arguments.ts'
import { runJob, type StrayErrors } from './run-job.ts'
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

/** From now on this process survives uncaught failures, and remembers them. */
function catchStrayErrors(): StrayErrors {
  let found = new Map<string, number>()
  const add = (text: string) => void found.set(text, (found.get(text) ?? 0) + 1)
  process.on('unhandledRejection', (reason) => {
    add(`an unhandled rejection (${errorText(reason)})`)
  })
  process.on('uncaughtException', (error) => {
    add(`an uncaught error (${errorText(error)})`)
  })
  return {
    take() {
      const taken = found
      found = new Map()
      return Array.from(taken, ([text, count]) => (count === 1 ? text : `${text}, ${count} times`))
    },
  }
}
