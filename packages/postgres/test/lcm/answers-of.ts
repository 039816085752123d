import type { CandidateQuery, LcmSession, LcmStore } from '@palimpsest/lcm'
import { exactly, stateOf } from '../../../lcm/src/store-tests/harness.ts'

/** All that a store answers about all its sessions, and what it finds of each term, in both orders. */
export async function answersOf(store: LcmStore, terms: readonly string[]): Promise<unknown> {
  const sessions = await store.list({ limit: 100 })
  return Promise.all(
    sessions.map(async (info) => {
      const session = await store.find(info)
      if (session === null) throw new Error('a listed session is there')
      const versions = await session.versions({ limit: 1_000 })
      const frontiers = await Promise.all(versions.map(({ version }) => session.frontier(version)))
      return [info, await stateOf(session), frontiers, await findings(session, terms)]
    }),
  )
}

async function findings(session: LcmSession, terms: readonly string[]): Promise<unknown> {
  const found: unknown[] = []
  for (const text of terms)
    for (const kind of ['word', 'prefix', 'substring'] as const)
      for (const order of ['newest', 'oldest'] as const) {
        const query: CandidateQuery = {
          where: [[{ kind, text }]],
          order,
          limit: 1_000,
          includeReplaced: true,
        }
        const summaries = exactly(await session.summaryCandidates(query), query)
        found.push([kind, text, order, exactly(await session.candidates(query), query), summaries])
      }
  return found
}
