import { createHash } from 'node:crypto'
import { StoreError } from '../errors/store-error.ts'
import type { LcmStore, SessionRef } from '../store/lcm-store.ts'
import { compareRefs } from './compare-refs.ts'
import { DUMP_HEADER, type DumpManifest } from './dump-format.ts'
import { dumpLine } from './dump-line.ts'

/** Sessions that are listed at a time. */
const PAGE = 100

/**
 * A store, or some sessions of it, as lines of JSON without newlines: a header, the records of one session after the
 * other, and a manifest that proves the lines before it. A fork's parents come before it, chosen or not. The same
 * content gives the same lines, whatever the kind of the store.
 *
 * @throws StoreError `NOT_FOUND` for a session that is not there.
 */
export async function* exportStore(
  store: LcmStore,
  options: { readonly sessions?: readonly Required<SessionRef>[] } = {},
): AsyncGenerator<string> {
  const digest = createHash('sha256')
  const counts = { session: 0, message: 0, summary: 0, frontier: 0 }
  const add = (line: string): string => {
    digest.update(`${line}\n`)
    return line
  }

  yield add(JSON.stringify(DUMP_HEADER))
  for await (const ref of withParents(store, options.sessions?.toSorted(compareRefs) ?? allSessions(store))) {
    for await (const record of store.dump(ref)) {
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

async function* allSessions(store: LcmStore): AsyncGenerator<Required<SessionRef>> {
  let after: Required<SessionRef> | undefined
  while (true) {
    const page = await store.list({ ...(after && { after }), limit: PAGE })
    yield* page.map(({ principal, key }) => ({ principal, key }))
    after = page.at(-1)
    if (after === undefined || page.length < PAGE) return
  }
}

/** Each session once, behind the ones that it was forked from. */
async function* withParents(
  store: LcmStore,
  refs: AsyncIterable<Required<SessionRef>> | Iterable<Required<SessionRef>>,
): AsyncGenerator<Required<SessionRef>> {
  const given = new Set<string>()
  for await (const { principal, key } of refs) {
    const lineage: Required<SessionRef>[] = []
    let next: string | undefined = key
    while (next !== undefined && !given.has(JSON.stringify([principal, next]))) {
      const session = await store.find({ principal, key: next })
      if (session === null)
        throw new StoreError('NOT_FOUND', `there is no session ${next} of ${principal} to export`)
      given.add(JSON.stringify([principal, next]))
      lineage.push({ principal, key: next })
      next = (await session.head()).parent?.key
    }
    yield* lineage.reverse()
  }
}
