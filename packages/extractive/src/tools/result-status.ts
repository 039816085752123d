import { type Message, messageText, toolCallsOf } from '@palimpsest/core'
import { readToolCall } from './tool-arguments.ts'
import { commandOf, pathsOf } from './tool-call.ts'
import { readOutcome } from './tool-outcome.ts'

/**
 * The outcome of a call by its result: by the recorded flag or an error text, and for programs also by an exit code. A file
 * that was read may hold the exit code of another program.
 */
export function resultStatus(
  result: Message,
  owner: Message | undefined,
): 'failed' | 'succeeded' | undefined {
  if (result?.role !== 'tool') return undefined
  const outcome = readOutcome(result, messageText(result))
  if (outcome === undefined) return undefined
  if (outcome === 'refused') return 'failed'
  const call = owner && toolCallsOf(owner).find(({ id }) => id === result.tool_call_id)
  const args = call && readToolCall(call)
  return args !== undefined && commandOf(args) === '' && pathsOf(args).length > 0 ? undefined : outcome
}
