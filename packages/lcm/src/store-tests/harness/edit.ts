import type { LcmSession, SessionHead } from '../../store/lcm-session.ts'
import { AT, userMessages } from './talk.ts'

export async function edit(
  session: LcmSession,
  from: number,
  summaries: readonly number[],
  ...instead: readonly string[]
): Promise<SessionHead> {
  const { nextSeq, version } = await session.head()
  const messages = userMessages(...instead)
  return session.append({ nextSeq, messages, at: AT + 99, version, replace: { from, summaries } })
}
