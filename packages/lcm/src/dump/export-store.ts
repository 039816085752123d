import { createHash } from 'node:crypto'
import type { LcmStore } from '../store/lcm-store.ts'
import { dumpLine } from './dump-line.ts'
import { DUMP_HEADER, type DumpManifest } from './dump-schema.ts'
import { type SessionChoice, walkSessions } from './walk-sessions.ts'

/**
 * A store, or some sessions of it, as lines of JSON without newlines: a header, the records of one session after the
 * other, and a manifest that proves them. A fork's parents come before it, chosen or not. The same content gives the
 * same lines, whatever the kind of the store.
 *
 * @throws StoreError `NOT_FOUND` for an unknown session.
 */
export async function* exportStore(
  store: LcmStore,
  options: Pick<SessionChoice, 'sessions'> = {},
): AsyncGenerator<string> {
  const digest = createHash('sha256')
  const counts = { session: 0, message: 0, summary: 0, frontier: 0 }
  const add = (line: string): string => {
    digest.update(`${line}\n`)
    return line
  }

  yield add(JSON.stringify(DUMP_HEADER))
  for await (const { principal, key } of walkSessions(store, options)) {
    for await (const record of store.dump({ principal, key })) {
      counts[record.type]++
      yield add(dumpLine(record))
    }
  }
  const { session: sessions, message: messages, summary: summaries } = counts
  const manifest: DumpManifest = {
    type: 'manifest',
    sessions,
    messages,
    summaries,
    sha256: digest.digest('hex'),
  }
  yield JSON.stringify(manifest)
}
