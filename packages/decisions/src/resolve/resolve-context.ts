import type { Candidate } from '../candidates/candidate.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import type { Decision } from '../log/decision.ts'
import type { Finder, SaidEvent, Scope } from '../log/decision-event.ts'
import type { LedgerView } from '../log/decision-ledger.ts'
import { eventId } from '../log/ids.ts'

/** The log and the session that candidates are held against. */
export interface ResolveContext {
  readonly ledger: LedgerView
  /** Where new decisions belong. Decisions of other scopes are neither confirmed nor ended. */
  readonly scope: Scope
  /** The session that the candidates were said in. */
  readonly session: string
  /** Number of times that the host had taken messages of the session back. */
  readonly edition: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly by: Finder
  /** The message of an index, for quotes. */
  readonly messageAt: (index: number) => SourceMessage | undefined
  /** Optional: how alike two texts are by an embedding, 0 to 1, of texts whose vectors are there. */
  readonly similarity?: (a: string, b: string) => number | undefined
  /**
   * The decisions that a model's candidate is compared with before it is taken: `similar` (default) with what resembles or contradicts it,
   * `category` with the nearest of its category whether they resemble it or not, as the described system does.
   */
  readonly compare?: 'similar' | 'category'
}

/** A candidate of a model that no rule can tell from what is known. */
export interface Residue {
  readonly candidate: Candidate
  /** The nearest that stand, of the same slot or category; at most 5. */
  readonly neighbours: readonly Decision[]
}

export interface Resolved {
  /** Events that the candidates add to the log, in order. */
  readonly events: readonly SaidEvent[]
  readonly residue: readonly Residue[]
}

type Draft<Event> = Event extends SaidEvent ? Omit<Event, 'id' | 'scope' | 'at' | 'by'> : never

/** An event without what is the same for all of one call. */
type EventDraft = Draft<SaidEvent>

/** Works out events: what was written so far counts for what comes next, and the ledger of the caller stays as it is. */
export interface EventWriter {
  /** With a draft in place of the ledger. */
  readonly context: ResolveContext
  readonly events: readonly SaidEvent[]
  write(draft: EventDraft): void
}

export function createEventWriter(given: ResolveContext): EventWriter {
  const { scope, at, by } = given
  const ledger = given.ledger.draft()
  const events: SaidEvent[] = []
  return {
    context: { ...given, ledger },
    events,
    write(draft) {
      const event = { ...draft, scope, at, by, id: '' }
      event.id = eventId(event)
      if (ledger.has(event.id)) return
      ledger.append([event])
      events.push(event)
    },
  }
}
