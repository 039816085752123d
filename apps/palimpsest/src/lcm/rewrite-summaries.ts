import { errorText } from '@palimpsest/core'
import { rewriteForgotten } from '@palimpsest/lcm'
import { createTokenCounter } from '@palimpsest/tokens'
import { printable } from './printable.ts'
import { listSessions } from './sessions.ts'
import type { OpenedStore } from './with-store.ts'

/**
 * Writes the summaries again that lost their text with a message, in every session of the file that stands on one, so
 * that what is left of the messages is not lost to the model too. Returns how many were written. A session that is
 * in use keeps its gap, and is named: the deletion stands.
 */
export async function rewriteSummaries(opened: OpenedStore, at: number): Promise<number> {
  const tokens = createTokenCounter()
  let written = 0
  for await (const info of listSessions(opened, undefined)) {
    try {
      const session = await opened.store.find(info)
      const nodes = (await session?.frontier())?.nodes ?? []
      if (session === null || nodes.every(({ forgotten }) => forgotten === undefined)) continue
      written += await rewriteForgotten(session, { tokens, at })
    } catch (error) {
      const reason = `${printable(info.key)}: its summaries were not written again: ${errorText(error)}`
      process.stderr.write(`palimpsest: ${reason}\n`)
    }
  }
  return written
}
