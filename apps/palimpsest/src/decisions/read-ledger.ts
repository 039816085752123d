import { createDecisionLedger, type DecisionLedger, readEvents } from '@palimpsest/decisions'
import type { OpenedStore } from '../stores/with-store.ts'

export async function readLedger(
  { store, principal }: OpenedStore,
  scopes: readonly string[],
): Promise<DecisionLedger> {
  const [first] = await store.list({ principal, limit: 1 })
  const session = first === undefined ? null : await store.find(first)
  return createDecisionLedger(readEvents((await session?.events({ scopes })) ?? []))
}
