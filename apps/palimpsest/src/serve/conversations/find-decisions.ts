import type { ContextSession } from '@palimpsest/core'

const TOOL = 'decisions_list'
/** Decisions on one question. */
const LIMIT = 5

/** Decisions of a session that have to do with a question, the best first; none from an engine that keeps none. */
export async function findDecisions(
  session: ContextSession,
  query: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  if (!session.engine.toolSchemas().some((tool) => tool.function.name === TOOL)) return []
  const answer = await session.callTool(
    TOOL,
    { query: query.slice(0, 2_000), limit: LIMIT },
    { ...(signal && { signal }) },
  )
  const { decisions } = JSON.parse(answer) as { decisions?: readonly { readonly l0: string }[] }
  return (decisions ?? []).map(({ l0 }) => l0)
}
