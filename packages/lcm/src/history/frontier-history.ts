import type { Frontier, Lease, StoredSession, Summary } from '@palimpsest/core'
import { cutFrontier, StoreError } from '@palimpsest/store'

/** The summaries of a frontier, in order. Default: of the current one. */
export async function frontierSummaries(session: StoredSession, version?: number): Promise<Summary[]> {
  const { summaries } = await session.frontier(version)
  return session.summaries(summaries)
}

/** The summaries that were shown when message `seq` was the last one, and the version of their frontier. */
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

/** All versions of a session's frontier, from the newest to the oldest, read as far as they are taken. */
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
 * Takes back the last compaction that was not taken back: a new version with the summaries before it. Called again,
 * it takes back the one before. A compaction that an edit erased is passed over. `at`: milliseconds since the epoch.
 *
 * @throws StoreError `NOT_FOUND` when there is none, or when messages that its old list covers were replaced since;
 * `STORE_CONFLICT` when another writer was faster, or the lease is lost.
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
