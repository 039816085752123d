import { errorText } from '../errors/errors.ts'
import type { Warning } from '../spec/v1/warning.ts'
import { abortable } from './abortable.ts'
import type { SessionEvent, SessionListener } from './session-events.ts'

export type EventHub = ReturnType<typeof createEventHub>

/** Tells events to those who listen, in the order in which they came. What a listener throws is ignored. */
export function createEventHub() {
  const listeners = new Set<SessionListener>()
  return {
    emit(event: SessionEvent): void {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch {
          // A listener is the host's; its faults are not the session's.
        }
      }
    },
    subscribe(listener: SessionListener): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export type WarningLog = ReturnType<typeof createWarningLog>

/** Says each warning once, so that a condition that lasts is not repeated every turn. */
export function createWarningLog({ emit }: EventHub) {
  const said = new Set<string>()
  let untaken: Warning[] = []
  return {
    say(...warnings: readonly Warning[]): void {
      for (const warning of warnings) {
        const key = `${warning.code}\n${warning.message}`
        if (said.has(key)) continue
        said.add(key)
        untaken.push(warning)
        emit({ type: 'warning', warning })
      }
    },
    /** The warnings since the last call. */
    take(): Warning[] {
      const taken = untaken
      untaken = []
      return taken
    },
    /** From now on everything may be said again. */
    clear(): void {
      said.clear()
    },
  }
}

export type EngineGuard = ReturnType<typeof createEngineGuard>

/** Calls parts of an engine so that a failure costs that part and not the turn: it becomes a warning. */
export function createEngineGuard(engineName: string, warnings: WarningLog) {
  const report = (part: string, error: unknown): void =>
    warnings.say({
      code: 'engine-failed',
      message: `the engine "${engineName}" failed in ${part} and went on without it: ${errorText(error)}`,
    })

  return {
    call<T>(part: string, fallback: T, run: () => T): T {
      try {
        return run()
      } catch (error) {
        report(part, error)
        return fallback
      }
    },
    /** Like `call`; an abort rejects with `signal.reason`. */
    async callAsync<T>(part: string, fallback: T, run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
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
