import { type Message, messageText, type ToolCall } from '@palimpsest/core'
import { readToolCall } from './tool-arguments.ts'
import { commandOf, pathsOf } from './tool-call.ts'
import { readOutcome } from './tool-outcome.ts'

/**
 * The outcome of a call, where it is known, by its result: by the recorded flag or an error text, and for programs also by an exit code. A file
 * that was read may hold the exit code of another program.
 */
export function resultStatus(
  result: Message,
  call: ToolCall | undefined,
): 'failed' | 'succeeded' | undefined {
  if (result?.role !== 'tool') return undefined
  const outcome = readOutcome(result, messageText(result))
  if (outcome === undefined) return undefined
  if (outcome === 'refused') return 'failed'
  const args = call && readToolCall(call)
  return args !== undefined && commandOf(args) === '' && pathsOf(args).length > 0 ? undefined : outcome
}
