import type { ContextSession } from '@palimpsest/core'
import type { DecisionsView } from '../decisions-view.ts'
import type { OnRecord } from '../models/offline-answerer.ts'

const TOOL = 'decisions_list'
/** Decisions on one question, and of the whole record. */
const FOUND_LIMIT = 5
const RECORD_LIMIT = 20

/**
 * The part of an engine's record that an answer without a model may need; nothing from an engine that keeps
 * no decisions.
 *
 * @param subject what is asked about; blank for the record as a whole.
 * @param stored what the engine's store says of the session.
 */
export async function findDecisions(
  session: ContextSession,
  subject: string,
  stored: DecisionsView | null,
  signal: AbortSignal | undefined,
): Promise<OnRecord> {
  const hasTool = session.engine.toolSchemas().some((tool) => tool.function.name === TOOL)
  if (!hasTool) return { found: [], holding: [], total: 0, over: [] }
  const list = async (args: object) => {
    const answer = await session.callTool(TOOL, args, { ...(signal && { signal }) })
    const { decisions = [], total = 0 } = JSON.parse(answer) as Listed
    return { lines: decisions.map(({ l0 }) => l0), total }
  }
  const holding = await list({ limit: RECORD_LIMIT })
  const found =
    subject === '' ? [] : (await list({ query: subject.slice(0, 2_000), limit: FOUND_LIMIT })).lines
  return { found, holding: holding.lines, total: holding.total, over: overOf(session.id, stored) }
}

interface Listed {
  readonly decisions?: readonly { readonly l0: string }[]
  readonly total?: number
}

/** The quotes of what holds no longer, with what became of it. */
function overOf(session: string, stored: DecisionsView | null): OnRecord['over'] {
  return Object.values(stored?.decisions ?? {})
    .flat()
    .filter(({ status }) => status === 'superseded' || status === 'retracted')
    .flatMap(({ status, l0, source, endedTurn }) => {
      if (source === undefined) return []
      const from = source.session === session ? `turn ${source.turn}` : 'another session'
      const end = typeof endedTurn === 'number' ? ` in turn ${endedTurn}` : ''
      return [{ quote: source.quote, note: `${from}; ${status}${end}: ${l0}` }]
    })
}
