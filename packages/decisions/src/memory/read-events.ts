import type { StoredEvent } from '../store/decision-store.ts'
import { toStoredEvents } from '../store-kit/create-session.ts'
import type { LogState } from './memory-state.ts'

/** Events of some scopes behind a place of the log, in order. */
export function readEvents(
  log: LogState | undefined,
  { scopes, after = 0 }: { readonly scopes: readonly string[]; readonly after?: number },
): StoredEvent[] {
  const rows = [...new Set(scopes)].flatMap((scope) => {
    const all = log?.scopes.get(scope) ?? []
    return all.slice(all.findLastIndex(({ seq }) => seq <= after) + 1)
  })
  return toStoredEvents(rows.sort((left, right) => left.seq - right.seq))
}
