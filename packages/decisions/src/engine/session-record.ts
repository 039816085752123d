import {
  checkMessage,
  contentParts,
  createPause,
  isBridge,
  isInstruction,
  isSpoken,
  isSummary,
  type Message,
  messageText,
  ownWords,
  redactMessage,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import type { Scope, Withdrawal } from '../log/decision-event.ts'
import { withdrawalId } from '../log/ids.ts'
import { createDecisionLedger, type DecisionLedger } from '../log/ledger.ts'
import { hashText, type SourceMessage } from '../log/source.ts'
import type { DecisionSession, DecisionStore } from '../store/decision-store.ts'
import { DEFAULT_PRINCIPAL } from '../store/decision-store.ts'
import { conversationKey, lastConversation } from './open-session.ts'

/** A message of the transcript, as far as it is in memory. */
export type KnownMessage = Pick<SourceMessage, 'hash' | 'turn'>

/** The record of a session, as its store has it. */
export interface SessionRecord {
  /** The session's key in the store. */
  readonly session: string
  readonly scope: Scope
  readonly ledger: DecisionLedger
  /** The messages of the transcript. */
  readonly messages: KnownMessage[]
  /** Number of times that the host took messages back. */
  edition: number
  /** One past the last message that is in a job of extraction. */
  jobsEnd: number
  /** Events of others up to this place of the store's log are known. */
  seq: number
}

/** Messages that are read from the store at once: a long transcript holds up nothing else. */
const PAGE = 200

/** Reads the whole record of a session. `project`: decisions hold for all sessions of it. */
export async function readSessionRecord(
  session: DecisionSession,
  project: string | undefined,
): Promise<SessionRecord> {
  const { key } = session
  const scope: Scope = project === undefined ? `session:${key}` : `project:${project}`
  // First, so that no withdrawal of what is read after it is beyond `seq`.
  const stored = await session.events({ scopes: [scope] })
  const messages: KnownMessage[] = []
  const pause = createPause()
  for (const count = await session.count(); messages.length < count; await pause()) {
    const page = await session.sources({ from: messages.length, to: messages.length + PAGE })
    if (page.length === 0) break
    for (const { hash, turn } of page) messages.push({ hash, turn })
  }
  const events = stored.map(({ event }) => event)
  return {
    ...{ session: key, scope, messages, ledger: createDecisionLedger(events) },
    edition: events.filter((event) => event.type === 'withdrawn' && event.session === key).length,
    jobsEnd: await session.jobsEnd(),
    seq: stored.at(-1)?.seq ?? 0,
  }
}

/**
 * Takes over what other sessions of the scope have decided since. False when another worker took messages of this
 * session back: then what is known of them is not true any more.
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

/** Number of messages at the beginning of a list that are on record as they are. */
export async function countKnown(
  { messages: known }: Pick<SessionRecord, 'messages'>,
  messages: readonly Message[],
  from: number,
): Promise<number> {
  const pause = createPause()
  for (const [offset, message] of messages.entries()) {
    if (known[from + offset]?.hash !== messageHash(message)) return offset
    await pause()
  }
  return messages.length
}

/** Messages as they are kept, with the turn of each; `turn` is that of the message before them. */
export async function sourcesOf(
  messages: readonly Message[],
  from: number,
  turn: number,
): Promise<readonly SourceMessage[]> {
  const pause = createPause()
  const sources: SourceMessage[] = []
  for (const [offset, message] of messages.entries()) {
    const isSound = checkMessage(message).length === 0
    if (message.role === 'user' && !(isSound && (isSummary(message) || isBridge(message)))) turn++
    sources.push({
      message: from + offset,
      turn,
      // A message of no known role says nothing, like a tool's.
      role: ROLES.has(message.role) ? message.role : 'tool',
      text: isSound ? saidIn(message) : '',
      hash: messageHash(message),
    })
    await pause()
  }
  return sources
}

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool'])

/** The words of a message: nothing of instructions, results, summaries, or what a host inserted. */
function saidIn(message: Message): string {
  if (message.role === 'user')
    return isSpoken(message) ? ownWords(messageText(redactMessage(message))).trim() : ''
  return message.role === 'assistant' && !isBridge(message) ? messageText(redactMessage(message)) : ''
}

/**
 * Tells an edit of a message: another role, text, part, call or result. What a host may leave out when it keeps an answer
 * (its id, empty members, the data of its provider) is not a part of what was said. A system prompt may change at any time.
 */
export function messageHash(message: Message): string {
  if (isInstruction(message)) return hashText('system')
  if (checkMessage(message).length > 0) return hashText(JSON.stringify(message))
  const text = messageText(message)
  const media = contentParts(message).filter(({ type }) => type !== 'text')
  const calls = toolCallsOf(message).map((call) => [call.id, toolCallName(call), toolCallInput(call)])
  const rest = [message.role, media, calls, message.role === 'tool' ? message.tool_call_id : '']
  // JSON has no line breaks, so nothing else looks the same. Lone surrogates differ in JSON only, which takes three times as long.
  return hashText(text.isWellFormed() ? `${JSON.stringify(rest)}\n${text}` : JSON.stringify([rest, text]))
}

/**
 * Number of messages at the beginning of a transcript that the engine has on record for a session, each in its place. A host
 * that goes on from there repeats nothing and takes nothing back.
 */
export async function countStored(
  store: Pick<DecisionStore, 'find'>,
  { principal = DEFAULT_PRINCIPAL, sessionId }: { readonly principal?: string; readonly sessionId: string },
  messages: readonly Message[],
): Promise<number> {
  const key = conversationKey(sessionId, await lastConversation(store, { principal, sessionId }))
  const stored = await store.find({ principal, key })
  return stored === null ? 0 : countKnown(await readSessionRecord(stored, undefined), messages, 0)
}
