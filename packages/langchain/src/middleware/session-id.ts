import type { BaseMessage } from '@langchain/core/messages'
import { looseOf } from '@palimpsest/core'

/**
 * The id of the session for a run of an agent: the id of its thread, and for an agent inside of a tool, which has a
 * history of its own, the run of that tool too. Without a thread the first message names the conversation: LangGraph
 * gives an id to every message that has none.
 *
 * @param configurable The run's, as hooks and tools see it.
 */
export function sessionIdOf(configurable: unknown, messages: readonly BaseMessage[]): string {
  const { thread_id: thread, checkpoint_ns: namespace } = looseOf(configurable)
  const base = thread === undefined ? `message:${messages[0]?.id ?? ''}` : String(thread)
  // The last segment is the node that runs, which is another one for each step.
  const outer = typeof namespace === 'string' ? namespace.split('|').slice(0, -1) : []
  return [base, ...outer].join('|')
}
