import type { TokenCounter } from '@palimpsest/core'
import type { TranscriptEntry } from '@palimpsest/transcripts'
import type { ChosenEngine } from '../engines/choose-engine.ts'
import type { StorePlace } from '../stores/store-place.ts'

/** A recording and the session in a store that it is replayed into. */
export interface RecordedSession {
  /** The options of the engine: whose session it is. */
  readonly options: ChosenEngine['options']
  readonly place: StorePlace
  readonly sessionId: string
  readonly entries: readonly TranscriptEntry[]
  /** The earliest time of the recording, in milliseconds since the epoch. */
  readonly startedAt: number
}

export interface ReplayTarget {
  /** Messages at the beginning of the recording that are in the session already. */
  countStored(): Promise<number>
  /** The engine's options, with the times of the recording in the place of those of the replay. */
  readonly options: ChosenEngine['options']
  /** Stores what follows the last request: there is no next one that would bring it. */
  finish(tokens: TokenCounter): Promise<void>
}
