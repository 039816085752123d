import type { Source } from './source.ts'

/**
 * The reach of a decision: `session:<id>`, or `project:<name>` for one that survives sessions.
 */
export type Scope = `session:${string}` | `project:${string}`

/** The finder of a decision: rules without a model, a model, a tool call, the host, or a file that was imported. */
export type Finder = 'rules' | 'model' | 'tool' | 'host' | 'import'

export interface Choice {
  /**
   * The subject of the choice, kebab-case: `datastore`, `auth`, `package-manager`. Free ones have a prefix: `setting:max-retries`;
   * `name:get-user`, what is called otherwise now; `rule:…`; `location:tests`, where something is kept; `schema:orders`, the
   * parts of a whole, such as the columns of a table; `fact:parse`, what something does or returns; `choice:<topic>`, a
   * choice for which no slot has a name; `remark:datastore`, the user's words on a slot in which nothing holds.
   */
  readonly slot: string
  /** The part of the project that it is about, lower case, such as `analytics`; empty for all of it. */
  readonly area: string
  /** The value, as it was written: `Postgres`, `30 s`, `sessions.db`. */
  readonly choice: string
  readonly category: Category
  /** `one`: a new value takes the place of the old one. `many`: values stand beside each other. */
  readonly cardinality: 'one' | 'many'
  /** The decision in one line of about 15 tokens, for readers. */
  readonly l0: string
  /** In 50 to 100 tokens, markdown. Only the profile `seed` takes it from a model; else it is built from quotes. */
  readonly l1?: string
  /** Why, in the words of the source. */
  readonly reason?: string
  /** Files, symbols and technologies that it names; at most 12. */
  readonly entities: readonly string[]
  /** Identifiers of the decisions that it rests on. */
  readonly dependsOn: readonly string[]
}

interface EventBase {
  /** Hash of what the event says and of its source (`eventId`): the same event twice is one. */
  readonly id: string
  /** The decision that it is about (`decisionId`). */
  readonly decision: string
  readonly scope: Scope
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly source: Source
  readonly authority: Authority
  readonly by: Finder
  /**
   * It came with an export of another store, where its text is: a verifier holds it against the hash of its quote only. An
   * import says so whatever the export says, and an export leaves it out, so that a log is the same on both sides.
   */
  readonly imported?: true
}

/**
 * The host took messages of a session back, from this one on: what was read in them does not count, and what they ended
 * holds again. Not something that was said, so it has no source.
 */
export interface Withdrawal {
  readonly type: 'withdrawn'
  readonly id: string
  readonly scope: Scope
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly session: string
  /** Index of the first message that was taken back. */
  readonly from: number
  /** The edition that ends with it. */
  readonly edition: number
}

/** The words that a merge adds to a decision. */
export interface MergedWords {
  /** The words in one line: without the merge, the value of a decision of its own. */
  readonly text: string
  /** The same in detail, markdown. Only the profile `seed` takes it from a model; else the quote is the detail. */
  readonly l1?: string
}

/** One entry of the log. Entries are appended, never changed and never removed. */
export type DecisionEvent = SaidEvent | Withdrawal

/** Something that was said about a decision. */
export type SaidEvent =
  /** The user or a verified fact states it. */
  | (EventBase & { readonly type: 'asserted'; readonly choice: Choice })
  /** The assistant proposes it. */
  | (EventBase & { readonly type: 'proposed'; readonly choice: Choice })
  /** The user takes up a proposal. */
  | (EventBase & { readonly type: 'accepted' })
  /** Another decision takes its place; with `area`, in that part only. */
  | (EventBase & {
      readonly type: 'superseded'
      readonly supersededBy: string
      readonly area?: string
      readonly reason?: string
    })
  /** It no longer holds, and nothing takes its place. */
  | (EventBase & { readonly type: 'retracted'; readonly reason?: string })
  /** It was said again, or proven: its quote is one more clause of it. Ends a suspicion. */
  | (EventBase & { readonly type: 'reaffirmed' })
  /**
   * Something was said that leaves open whether it still holds: the user spoke about it without a plain value, or the assistant
   * took another one unasked. It is contested until the user says plainly what holds.
   */
  | (EventBase & { readonly type: 'remarked' })
  /** Something else that was said belongs to it: a further source, and a further clause of L1. Changes neither status nor authority. */
  | (EventBase & { readonly type: 'merged' } & MergedWords)

/**
 * The word behind a decision, the strongest first: the user stated it, the user accepted it, the assistant proposed it. What
 * was only proposed is kept, and never shown as decided.
 */
export const AUTHORITIES = ['stated', 'accepted', 'proposed'] as const

export type Authority = (typeof AUTHORITIES)[number]

/** The stronger of two. */
export function strongerAuthority(a: Authority, b: Authority): Authority {
  return AUTHORITIES.indexOf(a) <= AUTHORITIES.indexOf(b) ? a : b
}

/**
 * The kind of a decision: where things are and how they are cut (`structure`), what they do and which values they have
 * (`behavior`), what depends on what (`relationships`), and what was chosen (`decisions`).
 */
export const CATEGORIES = ['decisions', 'structure', 'behavior', 'relationships'] as const

export type Category = (typeof CATEGORIES)[number]

/** True for an event whose text is elsewhere: of a record that was read, or of an export of another store. */
export function isImported({ by, imported }: Pick<SaidEvent, 'by' | 'imported'>): boolean {
  return by === 'import' || imported === true
}

/** The events whose messages still stand: those that a later withdrawal took back are left out. */
export function standingEvents(events: readonly DecisionEvent[]): readonly SaidEvent[] {
  const standing: SaidEvent[] = []
  /** For each session, the first message that was taken back after the events that are looked at. */
  const takenFrom = new Map<string, number>()
  for (let index = events.length - 1; index >= 0; index--) {
    const event = events[index]
    if (event === undefined) continue
    if (event.type === 'withdrawn') {
      const { session, from } = event
      takenFrom.set(session, Math.min(from, takenFrom.get(session) ?? from))
    } else if (event.source.message < (takenFrom.get(event.source.session) ?? Number.POSITIVE_INFINITY))
      standing.push(event)
  }
  return standing.reverse()
}
