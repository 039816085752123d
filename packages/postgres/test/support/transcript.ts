import { type LcmSession, type LcmStore, verifyStore } from '@palimpsest/lcm'
import { expect } from 'vitest'

/** The contents of a session's messages in order. */
export async function contentsOf(session: LcmSession): Promise<string[]> {
  const messages = await session.messages({ limit: 1e9 })
  return messages.map(({ json }) => JSON.parse(json).content)
}

/** Every row of the store is in its place, and is what its hash says. */
export async function expectSound(store: LcmStore): Promise<void> {
  expect(await store.check()).toEqual([])
  expect(await verifyStore(store)).toEqual([])
}
