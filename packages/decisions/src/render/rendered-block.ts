import type { TokenCounter } from '@palimpsest/core'
import type { ArtifactTouch } from '../candidates/artifact-touch.ts'
import type { DecisionSet } from '../log/decision-set.ts'

/** What a block is made from. */
export interface RenderInput {
  readonly decisions: DecisionSet
  /** What the calls of the session did to files; none leaves the part about files out. */
  readonly artifacts: readonly ArtifactTouch[]
  /** The session that reads: turns of other sessions are not named. */
  readonly session: string
  readonly tokens: TokenCounter
  readonly budgetTokens: number
  /** What the user asks: raises the worth of what it is about. */
  readonly query?: string
}

export interface RenderedBlock {
  /** Empty when there is nothing to say, or no room to say it. */
  readonly text: string
  readonly tokens: number
  /** What was shown of each decision, by identifier; empty for one that is on record by its identifier or a count only. */
  readonly lines: ReadonlyMap<string, string>
}
