import type { ConversationRecord } from '../store/service-store.ts'

/**
 * The name of a conversation for engines and their stores: the session's name, and `shop#2` for one that was begun anew,
 * which is another session to them. No caller's name has a `#` in it.
 */
export function engineKey({ session, epoch }: Pick<ConversationRecord, 'session' | 'epoch'>): string {
  return epoch === 1 ? session : `${session}#${epoch}`
}
