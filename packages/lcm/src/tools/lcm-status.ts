import { lazily, readToolArguments, toolSchema, z } from '@palimpsest/core/options'
import { sessionFacts } from './describe-session.ts'
import type { ToolContext } from './tool-context.ts'

const argumentSchema = lazily(() => z.object({}))

export const lcmStatusSchema = lazily(() =>
  toolSchema(
    'lcm_status',
    'The conversation store: counts, summaries in use, work in progress.',
    argumentSchema(),
  ),
)

/** Counts, and what the host adds. */
export async function lcmStatus(args: unknown, context: ToolContext): Promise<object> {
  readToolArguments(argumentSchema(), args)
  const { facts } = await sessionFacts(context)
  return {
    ...context.status?.(),
    ...facts,
    ...(facts.replaced > 0 && { replaced_not_searched: facts.replaced }),
  }
}
