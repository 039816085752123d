import { isObject, type SeqRange, type StoredEvent } from '@palimpsest/core'
import type { Source } from './source.ts'

/** The scope of a decision: `session:<id>`, or `project:<name>` for one that outlives sessions. */
export type Scope = `session:${string}` | `project:${string}`

/** The scope of a session's events: its project, if it has one. */
export function decisionScope(session: string, project?: string): Scope {
  return project === undefined ? `session:${session}` : `project:${project}`
}

/** The finder of a decision: the model that reads turns, the agent with a tool, or the host. */
export const FINDERS = ['model', 'agent', 'host'] as const
export type Finder = (typeof FINDERS)[number]

/**
 * The kinds of records. A subject has one `choice`, `value` (or limit) and `milestone` (or date), and any number of
 * `rule`s and `fact`s. A `question` and an `intention` are open.
 */
export const KINDS = ['choice', 'value', 'milestone', 'rule', 'fact', 'question', 'intention'] as const
export type Kind = (typeof KINDS)[number]

/** True for kinds of which a subject has only one. */
export function isSingle(kind: Kind): boolean {
  return kind === 'choice' || kind === 'value' || kind === 'milestone'
}

/** True for kinds that leave a subject open until a decision. */
export function isOpen(kind: Kind): boolean {
  return kind === 'question' || kind === 'intention'
}

/**
 * The categories: choices and rules (`decisions`); places and divisions (`structure`); actions, values and limits
 * (`behavior`); connections and dependencies (`relationships`).
 */
export const CATEGORIES = ['decisions', 'structure', 'behavior', 'relationships'] as const
export type Category = (typeof CATEGORIES)[number]

/** The authority of a decision, strongest first. A proposal is never shown as decided. */
export const AUTHORITIES = ['stated', 'accepted', 'proposed'] as const
export type Authority = (typeof AUTHORITIES)[number]

/** The stronger of two authorities. */
export function strongerAuthority(a: Authority, b: Authority): Authority {
  return AUTHORITIES.indexOf(a) <= AUTHORITIES.indexOf(b) ? a : b
}

export interface Statement {
  readonly kind: Kind
  readonly category: Category
  /** The subject in a few words: `database`, `retry limit`. */
  readonly subject: string
  /** The value as stated: `Postgres`, `30 s`; the words of a rule. */
  readonly value: string
  /** One line of about 15 tokens. */
  readonly l0: string
  /** Bullets of 50 to 100 tokens. */
  readonly l1?: string
  readonly reason?: string
  /** The person whom the user quotes. */
  readonly saidBy?: string
  /** The id of a decision on the same subject that this one contradicts without announcing a change. */
  readonly contradicts?: string
}

interface EventBase {
  /** Hash of the event's content and source (`eventId`), so that repeated events are stored once. */
  readonly id: string
  readonly decision: string
  readonly scope: Scope
  readonly at: number
  readonly source: Source
  readonly authority: Authority
  readonly by: Finder
}

/**
 * The host removed messages of a session: events based on them are void, and decisions that they ended are active
 * again. It has no source.
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

/** An event with a source in the conversation. */
export type SaidEvent =
  /** The user stated it. */
  | (EventBase & { readonly type: 'asserted'; readonly statement: Statement })
  /** The assistant proposed or said it, or the user only showed it. */
  | (EventBase & { readonly type: 'proposed'; readonly statement: Statement })
  /** The user accepted a proposal. */
  | (EventBase & { readonly type: 'accepted' })
  /** It was repeated or detailed: adds a source and, with `text`, a clause. */
  | (EventBase & { readonly type: 'merged'; readonly text?: string })
  /** Another decision replaced it. */
  | (EventBase & { readonly type: 'superseded'; readonly supersededBy: string; readonly reason?: string })
  /** It ended without a successor. */
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

/** The events whose messages were not removed. */
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
