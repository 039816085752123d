import type { TokenCounter } from '@palimpsest/core'
import type { DecisionSet } from '../log/decision-set.ts'
import type { EntryList } from './entry-list.ts'
import type { TouchedFiles } from './touched-files.ts'

/** The material of a block. */
export interface RenderInput {
  readonly decisions: DecisionSet
  /** The changes that the calls of the session made to files; none leaves the part about files out. */
  readonly touched: TouchedFiles
  /** The session that reads: turns of other sessions are not named. */
  readonly session: string
  readonly tokens: TokenCounter
  readonly budgetTokens: number
  /** The question of the user: raises the worth of entries on its subject. */
  readonly query?: string
}

export interface RenderedBlock {
  /** Empty when there is nothing to say, or no room to say it. */
  readonly text: string
  readonly tokens: number
  /** The lines that were shown of each decision, by identifier. */
  readonly lines: ReadonlyMap<string, string>
  /** Decisions on record by identifier or count only: those that held at that version of the list. Absent: nothing more. */
  readonly onRecord?: OnRecord
}

export interface OnRecord {
  readonly entries: EntryList
  readonly version: number
  /** Number of the list's changes by then. */
  readonly changes: number
}
