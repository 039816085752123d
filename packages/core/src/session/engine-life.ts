import { errorText } from '../errors/error-text.ts'
import type { ContextEngine, SessionStart } from '../spec/v1/context-engine.ts'
import type { Message } from '../spec/v1/message.ts'
import type { EngineGuard } from './engine-guard.ts'

/** Tells the engine that a conversation begins, is forgotten, or ends. */
export interface EngineLife {
  /**
   * Starts the engine before the first call of a conversation. A start that fails is a warning and is tried again with the
   * next call; one that still runs when its caller gives up is the one that the next caller waits for.
   */
  start(facts: () => SessionStart, signal?: AbortSignal): Promise<void>
  reset(): Promise<void>
  /** Rejects with what the engine failed with; it is disposed of all the same. */
  end(transcript: readonly Message[]): Promise<void>
}

export function createEngineLife(engine: ContextEngine, guard: EngineGuard): EngineLife {
  let starting: Promise<void> | undefined
  /** Whether the engine was asked to start: it may have seen messages since, even if it could not. */
  let isAwake = false

  return {
    async start(facts, signal) {
      isAwake = true
      starting ??= (async () => engine.onSessionStart(facts()))()
      const started = starting
      started.catch(() => {
        if (starting === started) starting = undefined
      })
      await guard.callAsync('onSessionStart', undefined, () => started, signal)
    },
    async reset() {
      if (!isAwake) return
      starting = undefined
      await guard.callAsync('onSessionReset', undefined, () => engine.onSessionReset())
    },
    async end(transcript) {
      const faults: unknown[] = []
      const note = (error: unknown) => void faults.push(error)
      if (isAwake) await (async () => engine.onSessionEnd(transcript))().catch(note)
      await (async () => engine.dispose())().catch(note)
      if (faults.length > 1) throw new AggregateError(faults, faults.map(errorText).join('; '))
      for (const fault of faults) throw fault
    },
  }
}
