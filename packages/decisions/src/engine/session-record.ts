import type { Message, Role } from '@palimpsest/core'
import type { ArtifactTouch } from '../candidates/artifact-touch.ts'
import type { Scope } from '../log/decision-event.ts'
import { createDecisionLedger, type DecisionLedger } from '../log/decision-ledger.ts'
import { hashText } from '../log/hash-text.ts'
import type { DecisionSession } from '../store/decision-store.ts'
import { messageHash } from './source-of.ts'

/** What a session has on record, as its store has it. */
export interface SessionRecord {
  /** The session's key in the store. */
  readonly session: string
  readonly scope: Scope
  readonly ledger: DecisionLedger
  artifacts: ArtifactTouch[]
  /** For each message of the transcript, its hash, the number of its turn, and who said it. */
  readonly messages: { readonly hash: string; readonly turn: number; readonly role: Role }[]
  /** How often the host took messages back. */
  edition: number
  /** Where each batch of turns that has its job ends: one behind its last message. */
  batchEnds: number[]
  /** Events of others up to this place of the store's log are known. */
  seq: number
}

/** Reads the whole record of a session. `project`: decisions hold for all sessions of it. */
export async function readSessionRecord(
  session: DecisionSession,
  project: string | undefined,
): Promise<SessionRecord> {
  const { key } = session
  const scope: Scope = project === undefined ? `session:${key}` : `project:${project}`
  const [stored, sources, artifacts] = await Promise.all([
    session.events({ scopes: [scope] }),
    session.sources(),
    session.artifacts(),
  ])
  const events = stored.map(({ event }) => event)
  return {
    session: key,
    scope,
    ledger: createDecisionLedger(events),
    artifacts: [...artifacts],
    messages: sources.map(({ hash, turn, role }) => ({ hash, turn, role })),
    edition: events.filter((event) => event.type === 'withdrawn' && event.session === key).length,
    // Jobs that the store has are made again, and passed over there.
    batchEnds: [],
    seq: stored.at(-1)?.seq ?? 0,
  }
}

/**
 * Takes over what other sessions of the scope have decided since. False when another worker took messages of this
 * session back: what is known of them is not true any more.
 */
export async function refreshRecord(session: DecisionSession, record: SessionRecord): Promise<boolean> {
  const added = await session.events({ scopes: [record.scope], after: record.seq })
  const isTakenBack = added.some(
    ({ event }) =>
      event.type === 'withdrawn' && event.session === record.session && !record.ledger.has(event.id),
  )
  if (isTakenBack) return false
  record.ledger.append(added.map(({ event }) => event))
  record.seq = added.at(-1)?.seq ?? record.seq
  return true
}

/** One hash for a stretch of the transcript: an edit in it gives another. */
export function hashOfRange({ messages }: Pick<SessionRecord, 'messages'>, from: number, to: number): string {
  return hashText(
    messages
      .slice(from, to)
      .map(({ hash }) => hash)
      .join(),
  )
}

/** How many messages at the beginning of a list are on record as they are. */
export function countKnown(
  { messages: known }: SessionRecord,
  messages: readonly Message[],
  from: number,
): number {
  const first = messages.findIndex((message, offset) => known[from + offset]?.hash !== messageHash(message))
  return first === -1 ? messages.length : first
}
