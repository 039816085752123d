import { Command } from 'commander'

/** One of the processes that `bench scale` starts. */
export function scaleWorkerCommand(): Command {
  return new Command('scale-worker')
    .description('one of the processes that scale starts')
    .action(async () => {
      const { runWorker } = await import('../scale/run-worker.ts')
      runWorker()
    })
}
