import type { ListQuery, SessionInfo, Store } from '../spec/v1/index.ts'

/** The owner of sessions if none is named. */
export const DEFAULT_PRINCIPAL = 'local'

const PAGE = 500

/** Lists all sessions of a store that a query finds, in pages. */
export async function* listSessions(
  store: Store,
  query: Omit<ListQuery, 'after' | 'limit'> = {},
): AsyncGenerator<SessionInfo> {
  let page: readonly SessionInfo[]
  let after: SessionInfo | undefined
  do {
    page = await store.list({ ...query, limit: PAGE, ...(after && { after }) })
    yield* page
    after = page.at(-1)
  } while (page.length === PAGE)
}
