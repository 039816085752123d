import type { Frontier, FrontierVersion } from '../store/frontier.ts'
import type { LcmSession } from '../store/lcm-session.ts'
import { cutFrontier } from './cut-frontier.ts'

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
