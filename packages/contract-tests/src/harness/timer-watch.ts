import { AsyncLocalStorage, createHook } from 'node:async_hooks'

/** Sees the timers of what it runs, and not those of a test runner, which come and go meanwhile. */
export interface TimerWatch {
  run(task: () => Promise<void>): Promise<void>
  /** How many timers of the task wait and keep the process alive. */
  waiting(): number
  end(): void
}

export function createTimerWatch(): TimerWatch {
  const timers = new Map<number, NodeJS.Timeout>()
  const isWatched = new AsyncLocalStorage<boolean>()
  const hook = createHook({
    init(id, type, _trigger, resource) {
      if (type === 'Timeout' && isWatched.getStore()) timers.set(id, resource as NodeJS.Timeout)
    },
    destroy(id) {
      timers.delete(id)
    },
  }).enable()
  return {
    run: (task) => isWatched.run(true, task),
    waiting: () => [...timers.values()].filter((timer) => timer.hasRef()).length,
    end: () => void hook.disable(),
  }
}
