import { lazily, readToolArguments, toolSchema, z } from '@palimpsest/core/options'
import { sessionFacts } from './describe-session.ts'
import type { ToolContext } from './tool-context.ts'

const argumentSchema = lazily(() => z.object({}))

export const lcmStatusSchema = lazily(() =>
  toolSchema(
    'lcm_status',
    'The conversation store: counts, summaries in use, what is left of a grant for reading, work in progress.',
    argumentSchema(),
  ),
)

/** Counts, the grant, and what the host adds. */
export async function lcmStatus(args: unknown, context: ToolContext): Promise<object> {
  readToolArguments(argumentSchema(), args)
  const { facts } = await sessionFacts(context)
  const { grant } = context
  return {
    ...context.status?.(),
    ...facts,
    ...(facts.replaced > 0 && { replaced_not_searched: facts.replaced }),
    ...(grant.tokens !== null && { grant: { tokens: grant.tokens, left: grant.left() } }),
  }
}
