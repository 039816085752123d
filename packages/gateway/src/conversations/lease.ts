import type { ContextSession } from '@palimpsest/core'
import type { KnownConversation } from '../recognition/conversation-index.ts'
import type { HiddenAnswers } from '../recognition/hidden-answers.ts'
import type { Trail } from '../recognition/trail.ts'

/** The model of a request. */
export interface ModelFacts {
  readonly model: string
  /** Its window, in tokens. */
  readonly window: number
  /** Tokens of it that the answer may take. */
  readonly reserve: number
  /** Whether the client sets cache breakpoints itself. */
  readonly isMarked: boolean
}

export interface LeaseInput extends ModelFacts {
  readonly owner: string
  /** What the client calls the conversation; without a name it is recognised by its list. */
  readonly name: string | undefined
  /** That of the client's list. */
  readonly trail: Trail
}

/** A conversation for the time of one request: nobody else has it meanwhile. */
export interface Lease {
  readonly known: KnownConversation
  readonly hidden: HiddenAnswers
  /** Undefined when the engine cannot be used. */
  readonly session: ContextSession | undefined
  /** True when another worker may have it by now: nothing may be written any more. */
  readonly isLost: boolean
  /** The engine failed: the next request tries a new session. */
  fail(): void
  /**
   * What the client has now, and what it did not see of the last answer. What cannot be stored is logged.
   *
   * @throws GatewayFault 409 when another worker has taken the conversation over.
   */
  remember(trail: Trail, hidden: HiddenAnswers): Promise<void>
  /** Resolves when the next request can have it, here or at another worker. May be called more than once. */
  release(): Promise<void>
}
