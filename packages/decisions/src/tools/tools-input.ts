import type { ArtifactTouch } from '../candidates/artifact-touch.ts'
import type { Candidate, Span } from '../candidates/candidate.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import type { SaidEvent } from '../log/decision-event.ts'
import type { DecisionLedger } from '../log/decision-ledger.ts'

/** The material of the tools: the log, the stored messages, and the one way in which something gets into the log. */
export interface DecisionsToolsInput {
  ledger(): Promise<DecisionLedger>
  /** The session that the tools are called in. */
  readonly session: string
  /** A stored message of any session that the log quotes; undefined when it is not stored. */
  sourceAt(session: string, index: number): Promise<SourceMessage | undefined>
  /** Stored messages of the session from an index on, in order. */
  messagesFrom(from: number): Promise<readonly SourceMessage[]>
  /** Holds candidates against the log and keeps what is new. Returns the events that this added. */
  record(candidates: readonly Candidate[], by: 'tool'): Promise<readonly SaidEvent[]>
  /** Ends a decision. `span`: the user's words that say so; without it, the assistant gives up what it proposed itself. */
  retract(id: string, reason: string, span?: Span): Promise<readonly SaidEvent[]>
  artifacts(): Promise<readonly ArtifactTouch[]>
}
