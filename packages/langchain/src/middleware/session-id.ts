import type { BaseMessage } from '@langchain/core/messages'
import { looseOf } from '@palimpsest/core'

/** A node of a graph that runs, with the id of this run, which is another one each time. */
const RUN_ID = /:[^:]*$/
/** The node in which an agent runs its tools. */
const TOOLS = /^tools:/

/**
 * The id of the session for an agent: the id of its thread. An agent inside of another graph has a history of its own: it is
 * known by its node and its first message, and inside of a tool by the run of that tool. Without a thread the first
 * message alone names the conversation. LangGraph gives an id to every message that has none.
 *
 * @param configurable The run's, as hooks and tools see it.
 */
export function sessionIdOf(configurable: unknown, messages: readonly BaseMessage[]): string {
  const { thread_id: thread, checkpoint_ns: namespace } = looseOf(configurable)
  // The last segment is the node of the agent that runs.
  const outer = typeof namespace === 'string' ? namespace.split('|').slice(0, -1) : []
  const nodes = outer.map((node) => (TOOLS.test(node) ? node : node.replace(RUN_ID, '')))
  const isNamed = thread !== undefined && nodes.length === 0
  return [
    ...(thread === undefined ? [] : [String(thread)]),
    ...nodes,
    ...(isNamed ? [] : [`message:${messages[0]?.id ?? ''}`]),
  ].join('|')
}
