import type { FrontierVersion } from '../store/frontier.ts'
import type { LcmSession } from '../store/lcm-session.ts'

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
