import type { ServiceEngine } from '../service-engine.ts'
import type { Conversation } from './conversation.ts'

/**
 * True when the store has decisions that the engine of this conversation does not know of: another writer has written
 * them, such as an import. Read from the stores again, it shows them in the prompt too.
 */
export async function isBehindStore(
  { session }: Conversation,
  engine: Pick<ServiceEngine, 'countsOf' | 'decisionsOf'>,
): Promise<boolean> {
  const known = await engine.countsOf(session)
  const stored = await engine.decisionsOf(session.id)
  if (known === null || stored === null) return false
  return known.all !== stored.counts.all || known.active !== stored.counts.active
}
