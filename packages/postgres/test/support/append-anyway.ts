import { encodeMessage, type LcmSession, StoreError } from '@palimpsest/lcm'

/** A user's message, ready to be stored. */
export function user(content: string) {
  return encodeMessage({ role: 'user', content }, content.length)
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
