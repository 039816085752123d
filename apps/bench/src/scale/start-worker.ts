import { fork } from 'node:child_process'
import type { WorkerOrder, WorkerReport, WorkerResult, WorkerTask } from './worker.ts'

/** A process that works on stores, one task after the other. */
export interface Worker {
  /** Resolves when everything is done that comes before the first statement that counts. */
  prepare(task: WorkerTask): Promise<void>
  /** Does the task that it is prepared for. */
  run(): Promise<WorkerResult>
  /** Lets the process end. */
  end(): void
}

/**
 * Starts another process of this program. Tasks go to it by message: an address may hold a password.
 *
 * @param program the path of the program's first module.
 */
export function startWorker(program: string): Worker {
  const child = fork(program, ['scale-worker'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  /** What the worker was told last is to be answered so. */
  let asked: PromiseWithResolvers<WorkerReport> | undefined
  let failure: Error | undefined
  const fail = (error: Error): void => {
    failure = error
    asked?.reject(error)
  }
  child.on('message', (report: WorkerReport) => {
    if (report.type === 'failed') fail(new Error(`a worker failed: ${report.message}`))
    else asked?.resolve(report)
  })
  child.on('error', fail)
  child.on('exit', (code) => fail(new Error(`a worker ended with ${code}`)))
  const tell = (order: WorkerOrder): Promise<WorkerReport> => {
    asked = Promise.withResolvers<WorkerReport>()
    if (failure === undefined) child.send(order)
    else asked.reject(failure)
    return asked.promise
  }
  return {
    async prepare(task) {
      await tell(task)
    },
    async run() {
      const report = await tell('go')
      if (report.type !== 'done') throw new Error('a worker answered something else than it was asked for')
      return report.result
    },
    end() {
      if (child.connected) child.disconnect()
    },
  }
}

/** Does a task in each of some workers at the same time. Returns what was done, and how long it took in milliseconds. */
export async function runTogether(
  workers: readonly Worker[],
  taskOf: (index: number) => WorkerTask,
): Promise<{ readonly results: readonly WorkerResult[]; readonly elapsed: number }> {
  await Promise.all(workers.map((worker, index) => worker.prepare(taskOf(index))))
  const start = performance.now()
  const results = await Promise.all(workers.map((worker) => worker.run()))
  return { results, elapsed: performance.now() - start }
}
