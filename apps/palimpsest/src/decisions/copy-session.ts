import { createHash, type Hash } from 'node:crypto'
import type { DecisionSession } from '@palimpsest/decisions'

/** Messages that are read, or written as one transaction, at a time. */
const PAGE = 500

/**
 * Brings what was read in a session to another store: messages, what was done to files in them, work that waits for a
 * model, and the summary. Goes on where an earlier copy ended. Nothing is written where the session has gone on, or is
 * another one. Returns how many messages are new.
 *
 * @param at When the session was written to last, in milliseconds since the epoch.
 */
export async function copySession(
  source: DecisionSession,
  target: DecisionSession,
  at: number,
): Promise<number> {
  // Before the messages are counted: neither is about one that comes meanwhile.
  const [jobs, summary] = [await source.pendingJobs(), await source.summary()]
  const [count, there] = [await source.count(), await target.count()]
  if (there > count || (await digestOf(source, there)) !== (await digestOf(target, there))) return 0
  const artifacts = await source.artifacts()
  for (let from = there; from < count; from += PAGE) {
    const to = Math.min(from + PAGE, count)
    const touched = artifacts.filter(({ message }) => message >= from && message < to)
    const sources = await source.sources({ from, to })
    await target.commit({ sources, artifacts: touched, ...(to === count && { jobs, summary }) }, at)
  }
  return count - there
}

/** Whether two stores have the same of a session. Work that waits is not compared: whoever does it first takes it away. */
export async function isSameSession(left: DecisionSession, right: DecisionSession): Promise<boolean> {
  const count = await left.count()
  if ((await right.count()) !== count) return false
  if (JSON.stringify(await left.summary()) !== JSON.stringify(await right.summary())) return false
  return (await digestOf(left, count)) === (await digestOf(right, count))
}

/** SHA-256 of the first messages, and of what was done to files in them. */
async function digestOf(session: DecisionSession, count: number): Promise<string> {
  const digest = createHash('sha256')
  for (let from = 0; from < count; from += PAGE)
    addLines(digest, await session.sources({ from, to: Math.min(from + PAGE, count) }))
  addLines(
    digest,
    (await session.artifacts()).filter(({ message }) => message < count),
  )
  return digest.digest('hex')
}

function addLines(digest: Hash, values: readonly unknown[]): void {
  for (const value of values) digest.update(`${JSON.stringify(value)}\n`)
}
