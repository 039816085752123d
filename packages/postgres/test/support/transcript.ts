import type { Store, StoredSession } from '@palimpsest/core'
import { expect } from 'vitest'

/** The contents of a session's messages in order. */
export async function contentsOf(session: StoredSession): Promise<string[]> {
  return (await session.messages()).map(({ message }) => String(message?.content))
}

/** Every row of the store is in its place, and is what was stored. */
export async function expectSound(store: Store): Promise<void> {
  expect(await store.verify()).toEqual([])
}
