import type { Clock, CompletionModel, TokenCounter } from '@palimpsest/core'
import type { KnownHead } from '../search/search-types.ts'
import type { Frontier } from '../store/frontier.ts'
import type { LcmSession } from '../store/lcm-session.ts'

export interface LcmToolsOptions {
  /** Opens the session that the tools read. Called for each call of a tool: keep the handle. */
  readonly open: () => Promise<LcmSession>
  /** Counts the passages that `model` reads. */
  readonly tokens: TokenCounter
  /** Bounds how long a search takes. Default: the system's. */
  readonly clock?: Clock
  /** Answers questions in `lcm_expand_query`. Without one the tool returns passages. */
  readonly model?: CompletionModel
  /** The session's head, as far as a search has to know it, when the host has it in memory. Default: the session's. */
  readonly head?: () => Promise<KnownHead>
  /** The current frontier, when the host has it in memory. Default: the session's. */
  readonly frontier?: () => Promise<Frontier>
  /** Whether messages that an edit of the history replaced are not there for the tools, nor summaries of them. Default false. */
  readonly hidesReplaced?: boolean
  /** Messages that could not be stored yet: searches say so. Default: none. */
  readonly unsaved?: () => number
  /** Additions to `lcm_status`: work in progress, kind and location of the store. */
  readonly status?: () => Record<string, unknown>
}

export interface ToolContext extends Omit<LcmToolsOptions, 'open' | 'frontier'> {
  readonly clock: Clock
  readonly session: LcmSession
  readonly frontier: () => Promise<Frontier>
  readonly signal: AbortSignal | undefined
}
