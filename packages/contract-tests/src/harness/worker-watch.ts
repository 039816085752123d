import type { Worker } from 'node:worker_threads'

/** Sees every worker that is started after its creation. */
export interface WorkerWatch {
  /** How many of them still run. */
  running(): number
  end(): void
}

export function createWorkerWatch(): WorkerWatch {
  const workers = new Set<Worker>()
  const see = (worker: Worker): void => {
    workers.add(worker)
    worker.once('exit', () => workers.delete(worker))
  }
  process.on('worker', see)
  return {
    running: () => workers.size,
    end: () => void process.off('worker', see),
  }
}
