import { PalimpsestError } from '@palimpsest/core'
import type { ServiceEngine } from '../service-engine.ts'
import {
  type ConversationRecord,
  engineKey,
  type ServiceStore,
  sessionLockName,
} from '../store/service-store.ts'
import { systemMessage, systemPrompt } from './system-prompt.ts'

/** Conversations with a turn that was never answered. */
export interface Withdrawal {
  readonly withdrawn: number
  /** Those that another worker has: it answers them, or was killed a moment ago. */
  readonly left: number
}

/**
 * Lets the engine take back what a turn said that was cut off by the end of the process: the engine read the message,
 * and no answer was ever stored. Otherwise what it decided would hold, for all sessions of a project, until a user
 * comes back to this one.
 */
export async function withdrawUnfinished(
  store: Pick<ServiceStore, 'conversations' | 'find' | 'messages' | 'locks'>,
  engine: Pick<ServiceEngine, 'messageCounts' | 'open' | 'assertSame'>,
  onFault: (error: unknown) => void,
): Promise<Withdrawal> {
  const known = await engine.messageCounts()
  const counts = { withdrawn: 0, left: 0 }
  if (known.size === 0) return counts
  // An engine has one more, which is the system prompt; a turn that was cut off adds at least a message.
  const isAhead = (record: ConversationRecord, messages: number): boolean =>
    (known.get(engineKey(record)) ?? 0) > messages + 1

  const withdraw = async (listed: ConversationRecord): Promise<boolean> => {
    // Another worker may have ended the turn since the list was made.
    const latest = await store.find(listed.session)
    const record = latest?.no === listed.no ? latest : listed
    const messages = await store.messages(record.no)
    if (!isAhead(record, messages.length)) return false
    const prompt = record.system === '' ? systemPrompt(record.repoName, []) : record.system
    const list = [systemMessage(prompt), ...messages]
    await engine.assertSame(engineKey(record), list)
    const session = await engine.open(engineKey(record), {}, { compacts: false })
    try {
      await session.prepare(list)
    } finally {
      await session.end()
    }
    return true
  }

  for (const record of await store.conversations()) {
    if (!isAhead(record, record.messages)) continue
    const lock = await store.locks.tryTake(sessionLockName(record.session))
    if (lock === undefined) {
      counts.left++
      continue
    }
    try {
      if (await withdraw(record)) counts.withdrawn++
    } catch (error) {
      // A damaged conversation is refused when it is called; the others are served.
      if (!isDamage(error)) throw error
      onFault(error)
    } finally {
      await lock.release()
    }
  }
  return counts
}

function isDamage(error: unknown): boolean {
  return PalimpsestError.isInstance(error) && ['STORE_CORRUPT', 'STORE_MISMATCH'].includes(error.code)
}
