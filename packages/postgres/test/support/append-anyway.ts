import type { NewMessage, StoredSession } from '@palimpsest/core'
import { StoreError } from '@palimpsest/store'

/** A user's message, ready to be stored. */
export function user(content: string): NewMessage {
  return { message: { role: 'user', content }, tokens: content.length }
}

/** Appends after the newest message, again when another writer was faster. Returns how often one was. */
export async function appendAnyway(session: StoredSession, content: string): Promise<number> {
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
