import type { LcmSession } from '../store/lcm-session.ts'
import { cutFrontier } from './cut-frontier.ts'

/**
 * A new session that shares everything before message `seq`, with its summaries. `at`: milliseconds since the epoch.
 *
 * @throws InvalidOptionError for an empty key; StoreError `EXISTS` for a key that is taken, `NOT_FOUND` for an
 * unknown message.
 */
export async function forkSession(
  session: LcmSession,
  { key, seq, at }: { readonly key: string; readonly seq: number; readonly at: number },
): Promise<LcmSession> {
  const { nodes } = await session.frontier()
  return session.fork({ key, seq, summaries: await cutFrontier(session, nodes, seq), at })
}
