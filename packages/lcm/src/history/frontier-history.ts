import type { Frontier, Lease, StoredSession, Summary } from '@palimpsest/core'
import { cutFrontier, StoreError } from '@palimpsest/store'

export async function frontierSummaries(session: StoredSession, version?: number): Promise<Summary[]> {
  const { summaries } = await session.frontier(version)
  return session.summaries(summaries)
}

export async function frontierAt(
  session: StoredSession,
  seq: number,
): Promise<{ readonly version: number; readonly summaries: readonly Summary[] }> {
  let version = 0
  for await (const candidate of versionsOf(session)) {
    version = candidate.version
    if (wasInForce(candidate, seq)) break
  }
  return {
    version,
    summaries: await cutFrontier(await frontierSummaries(session, version), seq + 1, (numbers) =>
      session.summaries(numbers),
    ),
  }
}

/** An edit applies from its first new message, whose number it has. */
function wasInForce({ reason, nextSeq }: Frontier, seq: number): boolean {
  return reason === 'edit' ? nextSeq <= seq : nextSeq <= seq + 1
}

const PAGE = 100

export async function* versionsOf(session: Pick<StoredSession, 'versions'>): AsyncGenerator<Frontier> {
  let before: number | undefined
  while (true) {
    const page = await session.versions({ ...(before !== undefined && { before }), limit: PAGE })
    yield* page
    before = page.at(-1)?.version
    if (page.length < PAGE || before === undefined) return
  }
}

/**
 * Undoes the last compaction that was not undone yet, by committing a version with the summaries before it. Compactions
 * erased by an edit are skipped. `at`: milliseconds since the epoch.
 *
 * @throws StoreError `NOT_FOUND` if there is none, or if messages that its list covers were replaced since;
 * `STORE_CONFLICT` if another writer was faster or the lease is lost.
 */
export async function undoCompaction(
  session: StoredSession,
  { at, lease }: { readonly at: number; readonly lease?: Lease },
): Promise<Frontier> {
  const { version, summaries: current } = await session.frontier()
  const summaries = await listBeforeCompaction(session, current)
  if (summaries === undefined)
    throw new StoreError('NOT_FOUND', `${session.key} has no compaction to undo; nothing was changed`)
  const input = { version, create: [], summaries, reason: 'undo', at } as const
  try {
    return await session.commit({ ...input, ...(lease !== undefined && { lease }) })
  } catch (error) {
    if (!StoreError.isInstance(error) || error.code !== 'INVALID_FRONTIER') throw error
    const reason = 'messages that it covered were replaced since'
    throw new StoreError('NOT_FOUND', `the last compaction of ${session.key} cannot be undone: ${reason}`, {
      cause: error,
    })
  }
}

async function listBeforeCompaction(
  session: StoredSession,
  current: readonly number[],
): Promise<readonly number[] | undefined> {
  let undone = 0
  for await (const { version, reason, summaries } of versionsOf(session)) {
    if (reason === 'undo') undone++
    if (reason !== 'compaction') continue
    const { summaries: before } = await session.frontier(version - 1)
    if (before.join() === summaries.join()) continue
    if (undone > 0) undone--
    else if (before.join() !== current.join()) return before
  }
  return undefined
}
