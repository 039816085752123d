import { createPause, type Message } from '@palimpsest/core'
import type { ArtifactTouch } from '../candidates/artifact-touch.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import type { Scope, Withdrawal } from '../log/decision-event.ts'
import { createDecisionLedger, type DecisionLedger } from '../log/decision-ledger.ts'
import { hashText } from '../log/hash-text.ts'
import { withdrawalId } from '../log/ids.ts'
import { TouchedFiles } from '../render/touched-files.ts'
import type { ResolveContext } from '../resolve/resolve-candidates.ts'
import type { DecisionSession } from '../store/decision-store.ts'
import { KnownMessages } from './known-messages.ts'
import type { ReadingState } from './read-new-messages.ts'
import { messageHash } from './source-of.ts'

/** The record of a session, as its store has it. */
export interface SessionRecord {
  /** The session's key in the store. */
  readonly session: string
  readonly scope: Scope
  readonly ledger: DecisionLedger
  readonly touched: TouchedFiles
  /** The messages of the transcript. */
  readonly messages: KnownMessages
  /** Number of times that the host took messages back. */
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
  // First, so that `seq` is behind no withdrawal of what is read then.
  const stored = await session.events({ scopes: [scope] })
  const [messages, artifacts] = await Promise.all([readMessages(session), session.artifacts()])
  const events = stored.map(({ event }) => event)
  return {
    session: key,
    scope,
    ledger: createDecisionLedger(events),
    touched: await touchedFiles(artifacts),
    messages,
    edition: events.filter((event) => event.type === 'withdrawn' && event.session === key).length,
    // Jobs that the store has are made again, and passed over there.
    batchEnds: [],
    seq: stored.at(-1)?.seq ?? 0,
  }
}

async function touchedFiles(touches: readonly ArtifactTouch[]): Promise<TouchedFiles> {
  const touched = new TouchedFiles()
  const pause = createPause()
  for (const touch of touches) {
    touched.add([touch])
    await pause()
  }
  return touched
}

/** Messages that are read from the store at once: a long transcript holds up nothing else. */
const PAGE = 200

async function readMessages(session: DecisionSession): Promise<KnownMessages> {
  const messages = new KnownMessages()
  const pause = createPause()
  for (const count = await session.count(); messages.length < count; await pause()) {
    const page = await session.sources({ from: messages.length, to: messages.length + PAGE })
    if (page.length === 0) break
    for (const source of page) messages.push(source)
  }
  return messages
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

/** The event that takes messages back, from one on. */
export function withdrawal({ session, scope, edition }: SessionRecord, from: number, at: number): Withdrawal {
  const id = withdrawalId({ scope, session, from, edition })
  return { type: 'withdrawn', id, scope, at, session, from, edition }
}

/** A record without the messages that are taken back; the given one stays as it is. */
export function afterWithdrawal(record: SessionRecord, gone: Withdrawal): SessionRecord {
  const ledger = record.ledger.draft()
  ledger.append([gone])
  return { ...record, ledger, edition: record.edition + 1 }
}

/** Takes messages out of a record, whose ledger knows of it. */
export function takeBack(record: SessionRecord, { from }: Withdrawal): void {
  record.edition++
  record.messages.cut(from)
  record.touched.takeBack(from)
  record.batchEnds = record.batchEnds.filter((end) => end <= from)
}

/** One hash for a stretch of the transcript: an edit in it gives another. */
export function hashOfMessages(messages: readonly { readonly hash: string }[]): string {
  return hashText(messages.map(({ hash }) => hash).join())
}

/** Number of messages at the beginning of a list that are on record as they are. */
export async function countKnown(
  { messages: known }: SessionRecord,
  messages: readonly Message[],
  from: number,
): Promise<number> {
  const pause = createPause()
  for (const [offset, message] of messages.entries()) {
    if (known.hashAt(from + offset) !== messageHash(message)) return offset
    await pause()
  }
  return messages.length
}

/** The message of an index, if it is at hand. */
export type MessageAt = ResolveContext['messageAt']

/** Finds messages of a list by their index. */
export function finder(messages: readonly SourceMessage[]): MessageAt {
  const byIndex = new Map(messages.map((message) => [message.message, message]))
  return (index) => byIndex.get(index)
}

/** Without the messages that were taken back while they were read: what stands in their place was not read. */
export function withoutStale(
  find: MessageAt,
  texts: readonly SourceMessage[],
  { messages }: SessionRecord,
): MessageAt {
  const stale = new Set(
    texts.filter(({ message, hash }) => messages.hashAt(message) !== hash).map(({ message }) => message),
  )
  return (index) => (stale.has(index) ? undefined : find(index))
}

/** The assistant's message that a state refers to. */
export function said(state: ReadingState, { messages }: SessionRecord): SourceMessage[] {
  if (state.said === undefined) return []
  const { index, text } = state.said
  const known = messages.at(index)
  return [{ message: index, turn: known?.turn ?? 1, role: 'assistant', text, hash: known?.hash ?? '' }]
}
