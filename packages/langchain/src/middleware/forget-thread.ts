import type { ContextSessionOptions, SessionInfo, Store } from '@palimpsest/core'
import { isOfThread } from './session-id.ts'

const PAGE = 500
const REASON = 'the thread was deleted'

type Owner = Pick<ContextSessionOptions<never>, 'principal' | 'clock'>

export async function forgetThread(
  store: Store,
  threadId: string,
  { principal = 'local', clock = { now: Date.now } }: Owner,
): Promise<void> {
  let after: Pick<SessionInfo, 'principal' | 'key'> | undefined
  for (;;) {
    const page = await store.list({ principal, limit: PAGE, ...(after && { after }) })
    for (const { key, messages } of page) {
      if (messages === 0 || !isOfThread(key, threadId)) continue
      const stored = await store.find({ principal, key })
      await stored?.forget({ first: 0, last: messages - 1, reason: REASON, at: clock.now() })
    }
    after = page.at(-1)
    if (page.length < PAGE) return
  }
}
