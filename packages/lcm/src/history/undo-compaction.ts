import { StoreError } from '../errors/store-error.ts'
import type { Frontier } from '../store/frontier.ts'
import type { LcmSession, Lease } from '../store/lcm-session.ts'
import { versionsOf } from './frontier-at.ts'

/**
 * Takes back the last compaction that was not taken back: a new version with the summaries before it. Called again,
 * it takes back the one before. A compaction that an edit erased is passed over. `at`: milliseconds since the epoch.
 *
 * @throws StoreError `NOT_FOUND` when there is none, or when messages that its old list covers were replaced since;
 * StoreConflictError when another writer was faster, or the lease is lost.
 */
export async function undoCompaction(
  session: LcmSession,
  { at, lease }: { readonly at: number; readonly lease?: Lease },
): Promise<Frontier> {
  const { version, nodes } = await session.frontier()
  const current = nodes.map(({ number }) => number)
  const summaries = await listBeforeCompaction(session, current)
  if (summaries === undefined)
    throw new StoreError('NOT_FOUND', `${session.key} has no compaction to undo; nothing was changed`)
  const input = { version, create: [], summaries, reason: 'undo', at } as const
  try {
    return await session.commit({ ...input, ...(lease === undefined ? {} : { lease }) })
  } catch (error) {
    if (!StoreError.isInstance(error) || error.code !== 'INVALID_FRONTIER') throw error
    const reason = 'messages that it covered were replaced since'
    throw new StoreError('NOT_FOUND', `the last compaction of ${session.key} cannot be undone: ${reason}`, {
      cause: error,
    })
  }
}

async function listBeforeCompaction(
  session: LcmSession,
  current: readonly number[],
): Promise<number[] | undefined> {
  const listOf = async (version: number) =>
    (await session.frontier(version)).nodes.map(({ number }) => number)
  let undone = 0
  for await (const { version, reason } of versionsOf(session)) {
    if (reason === 'undo') undone++
    if (reason !== 'compaction') continue
    const before = await listOf(version - 1)
    // It only brought summaries for the compaction behind it.
    if (before.join() === (await listOf(version)).join()) continue
    if (undone > 0) undone--
    else if (before.join() !== current.join()) return before
  }
  return undefined
}
