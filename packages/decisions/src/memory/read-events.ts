import type { DecisionEvent } from '../log/decision-event.ts'
import type { StoredEvent } from '../store/decision-store.ts'
import { decodeRow } from '../store-kit/decode-row.ts'
import type { LogState } from './memory-state.ts'

/** Events of some scopes behind a place of the log, in order. */
export function readEvents(
  log: LogState | undefined,
  { scopes, after = 0 }: { readonly scopes: readonly string[]; readonly after?: number },
): StoredEvent[] {
  return [...new Set(scopes)]
    .flatMap((scope) => log?.scopes.get(scope) ?? [])
    .filter(({ seq }) => seq > after)
    .sort((left, right) => left.seq - right.seq)
    .map(({ seq, json }) => ({ seq, event: decodeRow<DecisionEvent>(json) }))
}
