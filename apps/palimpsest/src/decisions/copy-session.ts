import { createHash } from 'node:crypto'
import type { DecisionSession } from '@palimpsest/decisions'

/** Messages that are read, or written as one transaction, at a time. */
const PAGE = 500

/**
 * Brings what was read in a session to another store: messages, and work that waits for a model. Goes on where an earlier copy ended. Nothing is written where the session has gone on, or is
 * another one. Returns how many messages are new.
 *
 * @param at When the session was written to last, in milliseconds since the epoch.
 */
export async function copySession(
  source: DecisionSession,
  target: DecisionSession,
  at: number,
): Promise<number> {
  // Before the messages are counted: none is about one that comes meanwhile.
  const jobs = await source.pendingJobs()
  const [count, there] = [await source.count(), await target.count()]
  if (there > count || (await digestOf(source, there)) !== (await digestOf(target, there))) return 0
  for (let from = there; from < count; from += PAGE) {
    const to = Math.min(from + PAGE, count)
    const sources = await source.sources({ from, to })
    await target.commit({ sources, ...(to === count && { jobs }) }, at)
  }
  return count - there
}

/** Whether two stores have the same of a session. Work that waits is not compared: whoever does it first takes it away. */
export async function isSameSession(left: DecisionSession, right: DecisionSession): Promise<boolean> {
  const count = await left.count()
  if ((await right.count()) !== count) return false
  return (await digestOf(left, count)) === (await digestOf(right, count))
}

/** SHA-256 of the first messages. */
async function digestOf(session: DecisionSession, count: number): Promise<string> {
  const digest = createHash('sha256')
  for (let from = 0; from < count; from += PAGE)
    for (const source of await session.sources({ from, to: Math.min(from + PAGE, count) }))
      digest.update(`${JSON.stringify(source)}\n`)
  return digest.digest('hex')
}
