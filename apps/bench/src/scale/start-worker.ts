import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { WorkerOrder, WorkerReport, WorkerResult, WorkerTask } from './worker.ts'

export type Worker = ReturnType<typeof startWorker>

/** Starts another process of this program. Tasks go to it by message: an address may hold a password. */
export function startWorker(program: string) {
  const child = fork(program, ['scale-worker'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`a worker ended with ${code}`)
  })
  ended.catch(() => {})
  const tell = async (order: WorkerOrder): Promise<WorkerResult> => {
    const answer = once(child, 'message')
    child.send(order)
    const [report]: WorkerReport[] = await Promise.race([answer, ended])
    if (report === undefined || 'failure' in report) throw new Error(`a worker failed: ${report?.failure}`)
    return report
  }
  return {
    /** Resolves when everything is done that comes before the first statement that counts. */
    prepare: (task: WorkerTask) => tell(task),
    /** Does the task that it is prepared for. */
    run: () => tell('go'),
    /** Lets the process end. */
    end() {
      if (child.connected) child.disconnect()
    },
  }
}

/** Does a task in each of some workers at the same time. Returns what was done, and how long it took in milliseconds. */
export async function runTogether(workers: readonly Worker[], taskOf: (index: number) => WorkerTask) {
  await Promise.all(workers.map((worker, index) => worker.prepare(taskOf(index))))
  const start = performance.now()
  const results = await Promise.all(workers.map((worker) => worker.run()))
  return { results, elapsed: performance.now() - start }
}
