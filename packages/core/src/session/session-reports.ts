import { readWarnings } from '../engine/compress-results.ts'
import { errorText } from '../errors/errors.ts'
import type { ContextEngine, Message, SessionStart, Warning } from '../spec/v1/index.ts'
import { abortable } from './scheduling.ts'
import type { SessionEvent, SessionListener } from './session-types.ts'

export type EventHub = ReturnType<typeof createEventHub>

export function createEventHub(onUnheard?: (warning: Warning) => void) {
  const listeners = new Set<SessionListener>()
  return {
    emit(event: SessionEvent): void {
      if (event.type === 'warning' && listeners.size === 0) onUnheard?.(event.warning)
      for (const listener of listeners) {
        try {
          listener(event)
        } catch {}
      }
    },
    subscribe(listener: SessionListener): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export type WarningLog = ReturnType<typeof createWarningLog>

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
    take(): Warning[] {
      const taken = untaken
      untaken = []
      return taken
    },
    clear(): void {
      said.clear()
    },
  }
}

export type EngineGuard = ReturnType<typeof createEngineGuard>

export function createEngineGuard(engineName: string, warnings: WarningLog) {
  const report = (part: string, error: unknown): void =>
    warnings.say({
      code: 'engine-failed',
      message: `the engine "${engineName}" failed in ${part} and the session went on without it: ${errorText(error)}`,
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

export function createEngineLife(
  engine: ContextEngine,
  guard: EngineGuard,
  warnings: WarningLog,
  { emit }: EventHub,
) {
  let starting: Promise<void> | undefined
  let isAwake = false
  let taken = 0
  let standing = 0

  return {
    /**
     * Starts the engine before the first call of a conversation. A failed start becomes a warning and is retried with
     * the next call. A start that outlives its caller is shared with the next caller.
     */
    async start(facts: () => SessionStart, signal?: AbortSignal): Promise<void> {
      isAwake = true
      starting ??= (async () => engine.onSessionStart(facts()))()
      const started = starting
      started.catch(() => {
        if (starting === started) starting = undefined
      })
      await guard.callAsync('onSessionStart', undefined, () => started, signal)
    },
    changedFrom(index: number): void {
      standing = Math.min(standing, index)
    },
    async ingest(transcript: readonly Message[], signal: AbortSignal | undefined): Promise<void> {
      if (standing === taken && standing === transcript.length) return
      const from = standing
      const messages = Object.freeze(transcript.slice(from))
      taken = Math.max(taken, transcript.length)
      const ingest = async () => readWarnings(await engine.ingest({ messages, from }))
      const said = await guard.callAsync('ingest', undefined, ingest, signal)
      if (said === undefined) return
      warnings.say(...said)
      taken = transcript.length
      standing = taken
      emit({ type: 'ingested', count: messages.length, from })
    },
    async reset(): Promise<void> {
      taken = 0
      standing = 0
      if (!isAwake) return
      starting = undefined
      await guard.callAsync('onSessionReset', undefined, () => engine.onSessionReset())
    },
    async end(transcript: readonly Message[]): Promise<void> {
      const faults: unknown[] = []
      const note = (error: unknown) => void faults.push(error)
      if (isAwake) await (async () => engine.onSessionEnd(transcript))().catch(note)
      await (async () => engine.dispose())().catch(note)
      if (faults.length > 1) throw new AggregateError(faults, faults.map(errorText).join('; '))
      for (const fault of faults) throw fault
    },
  }
}
