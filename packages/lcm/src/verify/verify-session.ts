import type { LcmSession, SessionHead } from '../store/lcm-session.ts'
import type { StoreFault } from '../store/lcm-store.ts'
import { checkFrontiers } from './check-frontiers.ts'
import { checkMessages } from './check-messages.ts'
import { checkSummaries } from './check-summaries.ts'
import { createFaultList, type FaultList } from './fault-list.ts'

/** Attempts when others write to the session while it is read. */
const ATTEMPTS = 3

export interface VerifyOptions {
  /** Called with how many more messages were checked. */
  readonly onMessages?: (count: number) => void
}

/**
 * Proves a session: every message is there once, byte for byte as it came in; every summary agrees with its sources;
 * every live message stands in one summary of the frontier or behind it. Reads in pages: its memory does not grow
 * with the session.
 *
 * @returns the faults; empty when the session is proved.
 * @throws StoreError when the store cannot be read at all.
 */
export async function verifySession(
  session: LcmSession,
  { onMessages = () => {} }: VerifyOptions = {},
): Promise<StoreFault[]> {
  for (let attempt = 1; ; attempt++) {
    const head = await session.head()
    const context = { session, head, list: createFaultList(session) }
    checkHead(head, context.list)
    await checkMessages(context, attempt === 1 ? onMessages : () => {})
    await checkSummaries(context)
    await checkFrontiers(context)
    const { faults } = context.list
    if (faults.length === 0 || attempt === ATTEMPTS) return [...faults]
    // A fault may be what a writer has done between two reads.
    const { version, nextSeq } = await session.head()
    if (version === head.version && nextSeq === head.nextSeq) return [...faults]
  }
}

/** Replaced messages are runs in order that do not touch, of messages that are there. */
function checkHead({ replaced, nextSeq }: SessionHead, list: FaultList): void {
  let end = -1
  for (const [index, { first, last }] of replaced.entries()) {
    const ref = `m${first}`
    if (first < 0 || last < first)
      list.add('replaced-empty', `the replaced run from m${first} to m${last} is empty`, ref)
    if (index > 0 && first <= end + 1)
      list.add(
        'replaced-order',
        `the replaced run from m${first} on overlaps with the one before it or touches it`,
        ref,
      )
    if (last >= nextSeq)
      list.add('replaced-beyond', `m${last} is marked as replaced, but the next message is m${nextSeq}`, ref)
    end = Math.max(end, last)
  }
}
