import type { Fact } from './facts/fact.ts'
import type { Mentions } from './identifiers/mentions.ts'
import type { CallDigest } from './tools/digest-call.ts'
import type { OutcomeDigest } from './tools/tool-outcome.ts'

/** A sentence that somebody said, on one line, with what it is worth against others of its sort. */
export interface Statement {
  readonly text: string
  readonly weight: number
}

/** What a user's turn said. */
export interface UserDigest {
  /** The turn on one line, without inserted blocks; a long one by its beginning and end. May be empty. */
  readonly ask: string
  /** Sentences that state a rule. `weight` 2: meant to last; 1: an instruction that may be meant once. */
  readonly constraints: readonly Statement[]
  readonly decisions: readonly Statement[]
  /** Sentences that hold a value: a number with its unit, a version, a hash, a setting, an address. */
  readonly values: readonly Statement[]
  /** Error lines that the user reported. */
  readonly errors: readonly string[]
  /** Whether the turn takes up what the assistant proposed before. */
  readonly accepts: boolean
}

/** What an assistant's message said. */
export interface AssistantDigest {
  /** The sentences that report most, at most two, in their order. */
  readonly report: readonly Statement[]
  readonly decisions: readonly Statement[]
  readonly nextSteps: readonly Statement[]
  /** The last sentence that proposes something, or an empty string. */
  readonly proposal: string
}

/** Everything that a summary needs of one message. Made once in a message's life; small against its text. */
export interface MessageDigest {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly user?: UserDigest
  readonly assistant?: AssistantDigest
  readonly calls: readonly CallDigest[]
  readonly outcome?: OutcomeDigest
  readonly facts: readonly Fact[]
  readonly mentions: Mentions
}
