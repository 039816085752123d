import { type Message, messageText, type Store } from '@palimpsest/core'
import { openStore } from '../../src/stores/open-store.ts'
import type { StorePlace } from '../../src/stores/store-place.ts'

/** What a store has, read when the service is gone. */
export async function readStore<T>(place: StorePlace, read: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(place, 'write')
  try {
    return await read(store)
  } finally {
    await store.close()
  }
}

/** The texts of a session, without its system prompt. */
export async function textsIn(store: Store, key: string, principal = 'local'): Promise<string[]> {
  const stored = (await (await store.find({ principal, key }))?.messages()) ?? []
  const said = stored.filter(({ role }) => role !== 'system')
  return said.map(({ message }) => messageText(message as Message))
}
