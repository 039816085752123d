import type { DecisionStore } from '../store/decision-store.ts'

/** The key of a session's first conversation is its id; later ones have a mark that no id has, because there it is doubled. */
export function conversationKey(sessionId: string, number: number): string {
  const id = sessionId.replaceAll('~', '~~')
  return number === 1 ? id : `${id}~${number}`
}

/** The session that a key in the store belongs to, and the number of its conversation, 1 for the first. */
export function readConversationKey(key: string): { readonly sessionId: string; readonly number: number } {
  const [, id = key, number = '1'] = /^((?:[^~]|~~)*)~(\d{1,9})$/.exec(key) ?? []
  return { sessionId: id.replaceAll('~~', '~'), number: Number(number) }
}

/** The number of a session's last conversation in a store; 1 when there is none yet. */
export async function lastConversation(
  store: Pick<DecisionStore, 'find'>,
  { principal, sessionId }: { readonly principal: string; readonly sessionId: string },
): Promise<number> {
  const isThere = async (number: number) =>
    (await store.find({ principal, key: conversationKey(sessionId, number) })) !== null
  let known = 1
  while (await isThere(known * 2)) known *= 2
  let open = known * 2
  while (open - known > 1) {
    const middle = (known + open) >> 1
    if (await isThere(middle)) known = middle
    else open = middle
  }
  return known
}
