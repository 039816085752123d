import type { Message, TokenCounter } from '@palimpsest/core'
import type { IdentifierMemory } from './identifiers/identifier-memory.ts'

/** The input of `summarizeExtractively`. */
export interface ExtractiveInput {
  /** The messages that the summary stands for, oldest first. Secrets are hidden already. Never changed. */
  readonly messages: readonly Message[]
  /** An earlier summary; its excerpts compete with the new lines. */
  readonly previousSummary?: string | undefined
  /** Lines that hold a word of it come before others. */
  readonly focusTopic?: string | undefined
  /** The user's last message, where it stands beside the summary: it can point at a document that `messages` read. */
  readonly request?: Message | undefined
  /** Hard bound of the result, in tokens of `tokens`. */
  readonly maxTokens: number
  /**
   * Room for identifiers beside the result. Of it, the files that calls changed may take a quarter, beyond `maxTokens`.
   * Default: 0, and they are not listed.
   */
  readonly identifierTokens?: number | undefined
  readonly tokens: TokenCounter
  /** Messages that stay beside the summary, which are not quoted. Default: none. */
  readonly visible?: readonly Message[] | undefined
  /** Mentions of the whole conversation, to rank names by. Default: the mentions in `messages`. */
  readonly memory?: IdentifierMemory | undefined
  /**
   * Marks a message by its index. Default: `t5` for the fifth turn of the user, by the memory of the session; what it does
   * not know is counted on from the earlier summary.
   */
  readonly mark?: ((index: number) => string) | undefined
}
