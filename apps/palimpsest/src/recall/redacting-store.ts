import { type Message, redactMessage, redactSecrets, type Store, type StoredSession } from '@palimpsest/core'

/** A store that redacts texts on reading, so that secrets can be neither shown nor found. */
export function redactingStore(store: Store): Store {
  return {
    ...store,
    async find(ref) {
      const session = await store.find(ref)
      return session === null ? null : redactingSession(session)
    },
  }
}

function redactingSession(session: StoredSession): StoredSession {
  const redacted = <Row extends { readonly text: string }>(row: Row): Row => ({
    ...row,
    text: redactSecrets(row.text),
  })
  const reading: Pick<StoredSession, 'messages' | 'candidates' | 'summaries'> = {
    async messages(query) {
      const stored = await session.messages(query)
      return stored.map((one) => ({ ...one, message: one.message && recallable(one.message) }))
    },
    candidates: async (among, query) => (await session.candidates(among, query)).map(redacted),
    summaries: async (numbers) => (await session.summaries(numbers)).map(redacted),
  }
  return new Proxy(session, {
    get(target, name) {
      if (Object.hasOwn(reading, name)) return reading[name as keyof typeof reading]
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

export function recallable(message: Message): Message {
  const { providerData: _, ...own } = redactMessage(message)
  return own as Message
}
