import type { LcmSession } from '../store/lcm-session.ts'
import { cutFrontier } from './cut-frontier.ts'

/**
 * A new session that shares everything before message `seq`, and the summaries of it. `at` is when, in
 * milliseconds since the epoch.
 *
 * @throws InvalidOptionError for an empty key; StoreError `EXISTS` when there is a session of that key; `NOT_FOUND` when there is no such message.
 */
export async function forkSession(
  session: LcmSession,
  { key, seq, at }: { readonly key: string; readonly seq: number; readonly at: number },
): Promise<LcmSession> {
  const { nodes } = await session.frontier()
  return session.fork({ key, seq, summaries: await cutFrontier(session, nodes, seq), at })
}
