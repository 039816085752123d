import type { ContextSession } from '@palimpsest/core'
import { DECISIONS } from '../engines/decisions-options.ts'
import type { ReplayDecisions } from './replay-report.ts'

/** The counts of the engine `decisions` for a session; null for another engine. */
export async function countDecisions(session: ContextSession): Promise<ReplayDecisions | null> {
  const { engine } = session
  if (engine.name !== DECISIONS) return null
  // The record is read from the store when it is asked for: perhaps there was no request.
  await session.callTool('decisions_list', { limit: 1 })
  const { on_record, block_tokens, epochs } = engine.status().details ?? {}
  if (typeof on_record !== 'object' || on_record === null) return null
  const counts = on_record as Readonly<Record<string, unknown>>
  const { active, contested, remarks, superseded, retracted, proposed, files } = counts
  return {
    ...{ active: count(active), contested: count(contested), superseded: count(superseded) },
    remarks: count(remarks),
    ...{ retracted: count(retracted), proposed: count(proposed), files: count(files) },
    ...{ blockTokens: count(block_tokens), epochs: count(epochs) },
  }
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
