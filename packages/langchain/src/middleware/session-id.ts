import type { BaseMessage } from '@langchain/core/messages'
import { looseOf } from '@palimpsest/core'

/** A running node of a graph, with the id of this run, which changes each time. */
const RUN_ID = /:[^:]*$/
const TOOLS = /^tools:/

/**
 * The session's id: the thread's id. An agent inside another graph has its own history: it is identified by its node
 * and first message, and inside a tool by the tool's run. Without a thread, the first message identifies the
 * conversation. LangGraph gives every message an id.
 *
 * @param configurable The run's, as hooks and tools see it.
 */
export function sessionIdOf(configurable: unknown, messages: readonly BaseMessage[]): string {
  const { thread_id: thread, checkpoint_ns: namespace } = looseOf(configurable)
  // The last segment is the agent's own node.
  const outer = typeof namespace === 'string' ? namespace.split('|').slice(0, -1) : []
  const nodes = outer.map((node) => (TOOLS.test(node) ? node : node.replace(RUN_ID, '')))
  const isNamed = thread !== undefined && nodes.length === 0
  return [
    ...(thread === undefined ? [] : [String(thread)]),
    ...nodes,
    ...(isNamed ? [] : [`message:${messages[0]?.id ?? ''}`]),
  ].join('|')
}

/** True for the session of a thread's agent, or of an agent inside it. */
export function isOfThread(sessionId: string, threadId: string): boolean {
  return sessionId === threadId || sessionId.startsWith(`${threadId}|`)
}
