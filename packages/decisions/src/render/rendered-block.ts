import type { TokenCounter } from '@palimpsest/core'
import type { ArtifactTouch } from '../candidates/artifact-touch.ts'
import type { DecisionSet } from '../log/decision-set.ts'

/** The material of a block. */
export interface RenderInput {
  readonly decisions: DecisionSet
  /** The changes that the calls of the session made to files; none leaves the part about files out. */
  readonly artifacts: readonly ArtifactTouch[]
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
  /** The lines that were shown of each decision, by identifier; empty for one that is on record by its identifier or a count only. */
  readonly lines: ReadonlyMap<string, string>
}
