import { createDecisionLedger, type DecisionLedger, type Scope } from '@palimpsest/decisions'
import type { OpenedStore } from './with-store.ts'

export async function readLedger(opened: OpenedStore, scopes: readonly Scope[]): Promise<DecisionLedger> {
  const { store, principal } = opened
  const stored = await store.events({ principal, scopes })
  return createDecisionLedger(stored.map(({ event }) => event))
}
