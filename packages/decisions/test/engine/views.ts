import { createDecisionLedger, type Decision, type DecisionStore, type Scope } from '../../src/index.ts'

/** The decisions that a scope of a store amounts to. */
export async function decisionsOf(
  store: DecisionStore,
  scope: Scope = 'session:talk',
): Promise<readonly Decision[]> {
  const events = await store.events({ scopes: [scope] })
  return createDecisionLedger(events.map(({ event }) => event)).all
}

/** What a reader would tell apart: slot, area, choice and status, sorted; identifiers are left out. */
export function outline(decisions: readonly Decision[]): readonly string[] {
  return decisions.map(({ slot, area, choice, status }) => `${slot} [${area}] ${choice}: ${status}`).sort()
}

/** How many messages, events and jobs a session has. */
export async function jobsOf(store: DecisionStore, key = 'talk') {
  return (await (await store.find({ key }))?.pendingJobs()) ?? []
}

/** Lets everything that runs beside the conversation run. */
export async function settle(rounds = 20): Promise<void> {
  for (let round = 0; round < rounds; round++) await new Promise((resolve) => setImmediate(resolve))
}
