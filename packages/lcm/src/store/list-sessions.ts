import type { LcmStore, SessionInfo } from './lcm-store.ts'

const PAGE = 100

/** The sessions of a store in the order of principal and key, or those of one principal; read as far as they are taken. */
export async function* listSessions(
  store: Pick<LcmStore, 'list'>,
  principal?: string,
): AsyncGenerator<SessionInfo> {
  let after: SessionInfo | undefined
  do {
    const page: SessionInfo[] = await store.list({
      ...(principal !== undefined && { principal }),
      ...(after && { after: { principal: after.principal, key: after.key } }),
      limit: PAGE,
    })
    yield* page
    after = page.length < PAGE ? undefined : page.at(-1)
  } while (after !== undefined)
}
