import type { ContextEngine } from '../spec/v1/context-engine.ts'
import type { Message } from '../spec/v1/message.ts'
import type { EngineGuard } from './engine-guard.ts'
import type { EventHub } from './event-hub.ts'
import { readWarnings } from './read-compress-result.ts'
import type { WarningLog } from './warning-log.ts'

/** Tells the engine what the transcript got. What it did not take is offered again the next time. */
export interface EngineIntake {
  /** The transcript changed from this index on. */
  changedFrom(index: number): void
  offer(transcript: readonly Message[], signal: AbortSignal | undefined): Promise<void>
  clear(): void
}

export function createEngineIntake(
  engine: ContextEngine,
  guard: EngineGuard,
  warnings: WarningLog,
  { emit }: EventHub,
): EngineIntake {
  /** Messages that the engine may have taken, and those of them that it took for sure and that still stand. */
  let taken = 0
  let standing = 0

  return {
    changedFrom(index) {
      standing = Math.min(standing, index)
    },
    async offer(transcript, signal) {
      if (standing === taken && standing === transcript.length) return
      const from = standing
      const messages = Object.freeze(transcript.slice(from))
      // A caller who goes away while it ingests does not hear whether it took them.
      taken = Math.max(taken, transcript.length)
      const ingest = async () => readWarnings(await engine.ingest({ messages, from }))
      const said = await guard.callAsync('ingest', undefined, ingest, signal)
      if (said === undefined) return
      warnings.say(...said)
      taken = transcript.length
      standing = taken
      emit({ type: 'ingested', count: messages.length, from })
    },
    clear() {
      taken = 0
      standing = 0
    },
  }
}
