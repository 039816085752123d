import { createContext, Script } from 'node:vm'
import { lazily } from '@palimpsest/core/options'

const limited = lazily(() => ({
  slot: createContext({ task: undefined as (() => unknown) | undefined }),
  runTask: new Script('task()'),
}))

/**
 * Runs a synchronous task and interrupts it after a time limit in milliseconds, in the middle of a regular
 * expression too. False when it was interrupted; what the task did until then stays done.
 */
export function runTimeLimited(task: () => unknown, milliseconds: number): boolean {
  const { slot, runTask } = limited()
  slot.task = task
  try {
    runTask.runInContext(slot, { timeout: milliseconds })
    return true
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw error
  } finally {
    slot.task = undefined
  }
}
