import type { Frontier, StoredSession, Summary } from '@palimpsest/core'
import { cutFrontier } from '@palimpsest/store'

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
