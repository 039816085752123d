import { errorText } from '@palimpsest/core'
import { rewriteForgotten } from '@palimpsest/lcm'
import { createTokenCounter } from '@palimpsest/tokens'
import { printable } from './printable.ts'
import type { OpenedStore } from './with-store.ts'

/**
 * Writes the summaries again that lost their text with a message, in sessions of the principal, so that what is left of
 * the messages is not lost to the model too. Returns how many were written. A session that is in use keeps its gap,
 * and is named: the deletion stands.
 */
export async function rewriteSummaries(
  { store, principal }: OpenedStore,
  keys: readonly string[],
  at: number,
): Promise<number> {
  const tokens = createTokenCounter()
  let written = 0
  for (const key of keys) {
    try {
      const session = await store.find({ principal, key })
      const nodes = (await session?.frontier())?.nodes ?? []
      if (session === null || nodes.every(({ forgotten }) => forgotten === undefined)) continue
      written += await rewriteForgotten(session, { tokens, at })
    } catch (error) {
      const reason = `${printable(key)}: its summaries were not written again: ${errorText(error)}`
      process.stderr.write(`palimpsest: ${reason}\n`)
    }
  }
  return written
}
