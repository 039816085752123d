import { type ContextSessionOptions, DEFAULT_PRINCIPAL, listSessions, type Store } from '@palimpsest/core'
import { isOfThread } from './session-id.ts'

const REASON = 'the thread was deleted'

type Owner = Pick<ContextSessionOptions<never>, 'principal' | 'clock'>

export async function forgetThread(
  store: Store,
  threadId: string,
  { principal = DEFAULT_PRINCIPAL, clock = { now: Date.now } }: Owner,
): Promise<void> {
  for await (const { key, messages } of listSessions(store, { principal })) {
    if (messages === 0 || !isOfThread(key, threadId)) continue
    const stored = await store.find({ principal, key })
    await stored?.forget({ first: 0, last: messages - 1, reason: REASON, at: clock.now() })
  }
}
