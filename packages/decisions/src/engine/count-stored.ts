import type { Message } from '@palimpsest/core'
import { isContested, isRemark } from '../log/decision.ts'
import { DEFAULT_PRINCIPAL, type DecisionStore } from '../store/decision-store.ts'
import { conversationKey, lastConversation } from './open-session.ts'
import type { SessionRecord } from './session-record.ts'
import { messageHash } from './source-of.ts'

/** Messages that are read at once. */
const PAGE = 1_000

/**
 * Number of messages at the beginning of a transcript that the engine has on record for a session, each in its place. A host
 * that goes on behind them repeats nothing and takes nothing back.
 */
export async function countStored(
  store: Pick<DecisionStore, 'find'>,
  session: { readonly principal?: string; readonly sessionId: string },
  messages: readonly Message[],
): Promise<number> {
  const { principal = DEFAULT_PRINCIPAL, sessionId } = session
  const key = conversationKey(sessionId, await lastConversation(store, { principal, sessionId }))
  const stored = await store.find({ principal, key })
  for (let from = 0; stored !== null && from < messages.length; from += PAGE) {
    const page = await stored.sources({ from, to: Math.min(from + PAGE, messages.length) })
    const known = messages.slice(from, from + page.length)
    const differs = known.findIndex((message, index) => messageHash(message) !== page[index]?.hash)
    if (differs !== -1) return from + differs
    if (page.length < PAGE) return from + page.length
  }
  return stored === null ? 0 : messages.length
}

/** The record of a session in numbers. */
export interface RecordCounts {
  /** Decisions that hold, those that are contested among them. */
  readonly active: number
  readonly contested: number
  /** Remarks of the user's on subjects on which nothing holds. */
  readonly remarks: number
  /** Decisions that gave way to others, that were given up, and that were never taken up. */
  readonly superseded: number
  readonly retracted: number
  readonly proposed: number
  /** Files that were touched. */
  readonly files: number
}

export function countRecord({ ledger, touched }: Pick<SessionRecord, 'ledger' | 'touched'>): RecordCounts {
  const { all } = ledger
  const of = (wanted: string) => all.filter(({ status }) => status === wanted).length
  const remarks = all.filter((decision) => decision.status === 'proposed' && isRemark(decision)).length
  return {
    active: of('active'),
    contested: all.filter(isContested).length,
    remarks,
    superseded: of('superseded'),
    retracted: of('retracted'),
    proposed: of('proposed') - remarks,
    files: touched.size,
  }
}
