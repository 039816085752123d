import { encodeMessage, type LcmSession, type LcmStore, StoreError, verifyStore } from '@palimpsest/lcm'
import { expect } from 'vitest'

/** A user's message, ready to be stored. */
export function user(content: string) {
  return encodeMessage({ role: 'user', content }, content.length)
}

/** The contents of a session's messages in order. */
export async function contentsOf(session: LcmSession): Promise<string[]> {
  const messages = await session.messages({ limit: 1e9 })
  return messages.map(({ json }) => JSON.parse(json).content)
}

/** Appends behind the newest message, again when another writer was faster. Returns how often one was. */
export async function appendAnyway(session: LcmSession, content: string): Promise<number> {
  for (let conflicts = 0; ; conflicts++) {
    const { nextSeq } = await session.head()
    try {
      await session.append({ nextSeq, messages: [user(content)], at: 1 })
      return conflicts
    } catch (error) {
      if (!StoreError.isInstance(error) || error.code !== 'STORE_CONFLICT') throw error
    }
  }
}

/** Every row of the store is in its place, and is what its hash says. */
export async function expectSound(store: LcmStore): Promise<void> {
  expect(await store.check()).toEqual([])
  expect(await verifyStore(store)).toEqual([])
}
