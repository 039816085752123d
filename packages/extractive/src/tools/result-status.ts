import { type Message, toolCallsOf } from '@palimpsest/core'
import { analyzeMessage } from '../analyze-message.ts'
import { readToolCall } from './tool-arguments.ts'
import { commandOf, pathsOf } from './tool-call.ts'

/**
 * The outcome of a call by its result: by the recorded flag or an error text, and for programs also by an exit code. A file
 * that was read may hold the exit code of another program.
 */
export function resultStatus(
  result: Message,
  owner: Message | undefined,
): 'failed' | 'succeeded' | undefined {
  const { outcome } = analyzeMessage(result)
  if (outcome === undefined || result.role !== 'tool') return undefined
  if (outcome === 'refused') return 'failed'
  const call = owner && toolCallsOf(owner).find(({ id }) => id === result.tool_call_id)
  const args = call && readToolCall(call)
  return args !== undefined && commandOf(args) === '' && pathsOf(args).length > 0 ? undefined : outcome
}
