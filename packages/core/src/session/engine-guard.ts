import { errorText } from '../errors/error-text.ts'
import { abortable } from './abortable.ts'
import type { WarningLog } from './warning-log.ts'

/** Calls parts of an engine so that a failure costs that part and not the turn: it becomes a warning. */
export interface EngineGuard {
  call<T>(part: string, fallback: T, run: () => T): T
  /** Like `call`; an abort rejects with `signal.reason`. */
  callAsync<T>(part: string, fallback: T, run: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export function createEngineGuard(engineName: string, warnings: WarningLog): EngineGuard {
  const report = (part: string, error: unknown): void =>
    warnings.say({
      code: 'engine-failed',
      message: `the engine "${engineName}" failed in ${part} and went on without it: ${errorText(error)}`,
    })

  return {
    call(part, fallback, run) {
      try {
        return run()
      } catch (error) {
        report(part, error)
        return fallback
      }
    },
    async callAsync(part, fallback, run, signal) {
      try {
        return await abortable(run(), signal)
      } catch (error) {
        signal?.throwIfAborted()
        report(part, error)
        return fallback
      }
    },
  }
}
