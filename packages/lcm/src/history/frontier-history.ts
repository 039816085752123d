import { StoreError } from '../errors/store-error.ts'
import type { Frontier, FrontierVersion, LcmSession, Lease, SummaryNode } from '../store/lcm-session.ts'

/**
 * The numbers of the summaries that remain when everything from message `seq` on is replaced. A summary
 * that reaches across is opened into its children; a leaf goes, and its messages are raw again.
 *
 * @param nodes A frontier's, in order.
 */
export async function cutFrontier(
  session: Pick<LcmSession, 'summaries'>,
  nodes: readonly SummaryNode[],
  seq: number,
): Promise<number[]> {
  const end = nodes.findIndex(({ last }) => last >= seq)
  if (end === -1) return nodes.map(({ number }) => number)
  const kept = nodes.slice(0, end).map(({ number }) => number)
  const across = nodes[end]
  if (across === undefined || across.first >= seq || across.children.length === 0) return kept
  return [...kept, ...(await cutFrontier(session, await session.summaries(across.children), seq))]
}

/** The frontier that was in force when message `seq` was the last one. */
export async function frontierAt(session: LcmSession, seq: number): Promise<Frontier> {
  let version = 0
  for await (const candidate of versionsOf(session)) {
    version = candidate.version
    if (wasInForce(candidate, seq)) break
  }
  const { nodes } = await session.frontier(version)
  const kept = await cutFrontier(session, nodes, seq + 1)
  return { version, nodes: await session.summaries(kept) }
}

/** An edit is in force from the first message that it brings; its own number is that message's. */
function wasInForce({ reason, nextSeq }: FrontierVersion, seq: number): boolean {
  return reason === 'edit' ? nextSeq <= seq : nextSeq <= seq + 1
}

const PAGE = 100

/** All versions of a session's frontier, from the newest to the oldest, read as far as they are taken. */
export async function* versionsOf(session: Pick<LcmSession, 'versions'>): AsyncGenerator<FrontierVersion> {
  let before: number | undefined
  while (true) {
    const page = await session.versions({ ...(before === undefined ? {} : { before }), limit: PAGE })
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
    // It only brought summaries for the next compaction.
    if (before.join() === (await listOf(version)).join()) continue
    if (undone > 0) undone--
    else if (before.join() !== current.join()) return before
  }
  return undefined
}
