import { isObject, type SeqRange, type StoredEvent } from '@palimpsest/core'
import type { Source } from './source.ts'

/** The reach of a decision: `session:<id>`, or `project:<name>` for one that survives sessions. */
export type Scope = `session:${string}` | `project:${string}`

/** The scope of a session's events: its project, if it has one. */
export function decisionScope(session: string, project?: string): Scope {
  return project === undefined ? `session:${session}` : `project:${project}`
}

/** Who put an event into the log: the model that reads the turns, the agent by a tool, or the host. */
export const FINDERS = ['model', 'agent', 'host'] as const
export type Finder = (typeof FINDERS)[number]

/**
 * What is put on record: a `choice`, a `value` or limit, a `milestone` or date (one of each holds for a subject); a standing
 * `rule` and a `fact` (any number); an open `question`, and an `intention`, which is not decided yet.
 */
export const KINDS = ['choice', 'value', 'milestone', 'rule', 'fact', 'question', 'intention'] as const
export type Kind = (typeof KINDS)[number]

/** True for kinds of which only one holds for a subject. */
export function isSingle(kind: Kind): boolean {
  return kind === 'choice' || kind === 'value' || kind === 'milestone'
}

/** True for kinds that leave a subject open: a decision on it ends them. */
export function isOpen(kind: Kind): boolean {
  return kind === 'question' || kind === 'intention'
}

/**
 * What was chosen, and rules (`decisions`); where things are and how they are cut (`structure`); what they do, values and limits
 * (`behavior`); who and what is connected with or depends on what (`relationships`).
 */
export const CATEGORIES = ['decisions', 'structure', 'behavior', 'relationships'] as const
export type Category = (typeof CATEGORIES)[number]

/** The source of a decision, strongest first. A proposal is never shown as decided. */
export const AUTHORITIES = ['stated', 'accepted', 'proposed'] as const
export type Authority = (typeof AUTHORITIES)[number]

/** The stronger of two. */
export function strongerAuthority(a: Authority, b: Authority): Authority {
  return AUTHORITIES.indexOf(a) <= AUTHORITIES.indexOf(b) ? a : b
}

export interface Statement {
  readonly kind: Kind
  readonly category: Category
  /** The subject in a few words: `database`, `retry limit`. */
  readonly subject: string
  /** The value as said: `Postgres`, `30 s`; for a rule, its words. */
  readonly value: string
  /** One line of about 15 tokens. */
  readonly l0: string
  /** Bullets of 50 to 100 tokens. */
  readonly l1?: string
  readonly reason?: string
  /** Who said it, where the user only passed it on. */
  readonly saidBy?: string
  /** The id of a decision on the same subject that this one contradicts without announcing a change. */
  readonly contradicts?: string
}

interface EventBase {
  /** Hash of what the event says and of its source (`eventId`): the same event twice is one. */
  readonly id: string
  readonly decision: string
  readonly scope: Scope
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly source: Source
  readonly authority: Authority
  readonly by: Finder
}

/**
 * The host took messages of a session back: events read in them do not count, and what they ended holds again. Nobody said it,
 * so it has no source.
 */
export interface Withdrawal extends SeqRange {
  readonly type: 'withdrawn'
  readonly id: string
  readonly scope: Scope
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly session: string
}

/** One entry of the append-only log. */
export type DecisionEvent = SaidEvent | Withdrawal

/** Something that was said about a decision. */
export type SaidEvent =
  /** The user states it. */
  | (EventBase & { readonly type: 'asserted'; readonly statement: Statement })
  /** The assistant proposes or says it, or the user shows it without saying it. */
  | (EventBase & { readonly type: 'proposed'; readonly statement: Statement })
  /** The user takes up a proposal. */
  | (EventBase & { readonly type: 'accepted' })
  /** It was said again, or in more detail: one more source, and with a text one more clause. */
  | (EventBase & { readonly type: 'merged'; readonly text?: string })
  /** Another decision takes its place. */
  | (EventBase & { readonly type: 'superseded'; readonly supersededBy: string; readonly reason?: string })
  /** It no longer holds, and nothing takes its place. */
  | (EventBase & { readonly type: 'retracted'; readonly reason?: string })

const TYPES: ReadonlySet<unknown> = new Set([
  'asserted',
  'proposed',
  'accepted',
  'merged',
  'superseded',
  'retracted',
  'withdrawn',
])

/** The events of this engine among those of a store. */
export function readEvents(stored: readonly StoredEvent[]): readonly DecisionEvent[] {
  return stored.flatMap(({ body }) => (isDecisionEvent(body) ? [body] : []))
}

function isDecisionEvent(body: unknown): body is DecisionEvent {
  if (!isObject(body) || !TYPES.has(body.type) || typeof body.id !== 'string') return false
  return body.type === 'withdrawn' || (isObject(body.source) && typeof body.decision === 'string')
}

/** The events whose messages were not taken back. */
export function standingEvents(events: readonly DecisionEvent[]): readonly SaidEvent[] {
  const withdrawn = Map.groupBy(
    events.filter((event) => event.type === 'withdrawn'),
    ({ session }) => session,
  )
  return events.filter(
    (event): event is SaidEvent =>
      event.type !== 'withdrawn' &&
      !withdrawn
        .get(event.source.session)
        ?.some(({ first, last }) => first <= event.source.seq && event.source.seq <= last),
  )
}
