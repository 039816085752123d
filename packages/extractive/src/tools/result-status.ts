import type { Message } from '@palimpsest/core'
import { analyzeMessage } from '../analyze-message.ts'

/**
 * What a tool result says of its call: by the recorded flag or an error text, and for programs also by an exit
 * code or failed tests. A file that was read may speak of failures without being one.
 */
export function resultStatus(
  result: Message,
  owner: Message | undefined,
): 'failed' | 'succeeded' | undefined {
  const { outcome } = analyzeMessage(result)
  if (outcome === undefined) return undefined
  if (outcome.refused) return 'failed'
  if (owner !== undefined && callOf(result, owner)?.kind === 'file') return undefined
  return outcome.failed === undefined ? undefined : outcome.failed ? 'failed' : 'succeeded'
}

/** The digest of the call that a result answers. */
export function callOf(result: Message, owner: Message) {
  if (result.role !== 'tool') return undefined
  return analyzeMessage(owner).calls.find(({ id }) => id === result.tool_call_id)
}
