import type { ContextSession } from '@palimpsest/core'
import type { DecisionCounts } from './decisions-view.ts'

/** The number of decisions of an open session, by the engine's own tool: the page shows the same. */
export async function countDecisions(session: ContextSession): Promise<DecisionCounts | null> {
  const all = await count(session, 'all')
  const active = await count(session, 'active')
  return all === undefined || active === undefined ? null : { all, active }
}

async function count(session: ContextSession, status: 'all' | 'active'): Promise<number | undefined> {
  const answer = await session.callTool('decisions_list', { status, limit: 1 })
  return (JSON.parse(answer) as { readonly total?: number }).total
}
