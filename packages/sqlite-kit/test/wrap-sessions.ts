/** A store of sessions, whatever names them. */
interface OpensSessions<Session> {
  session(ref: never, at: number): Promise<Session>
  find(ref: never): Promise<Session | null>
}

/** The store with something else in the place of each session that it opens or finds. */
export function wrapSessions<Session, Store extends OpensSessions<Session>>(
  store: Store,
  wrap: (session: Session) => Session,
): Store {
  return {
    ...store,
    session: async (ref: never, at: number) => wrap(await store.session(ref, at)),
    async find(ref: never) {
      const session = await store.find(ref)
      return session && wrap(session)
    },
  }
}
