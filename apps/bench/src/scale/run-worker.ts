import { prepareLoad } from './load-sessions.ts'
import type { PreparedTask, WorkerOrder, WorkerReport } from './worker-task.ts'
import { prepareWrite } from './write-turns.ts'

/** What a worker process does until its parent lets it go: takes a task, says that it is ready, and begins when it is told to. */
export function runWorker(): void {
  let start: PreparedTask | undefined
  const say = (report: WorkerReport) => process.send?.(report)
  const take = async (order: WorkerOrder): Promise<void> => {
    try {
      if (order === 'go') {
        if (start !== undefined) say({ type: 'done', result: await start() })
        return
      }
      start = await (order.kind === 'load' ? prepareLoad(order) : prepareWrite(order))
      say({ type: 'ready' })
    } catch (error) {
      say({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
    }
  }
  process.on('message', (order: WorkerOrder) => void take(order))
}
