import { type Message, messageText, type ToolCall, type ToolMessage } from '@palimpsest/core'
import { commandOf, pathsOf, readToolCall } from './tool-arguments.ts'

/**
 * `refused`: the tool reports a failed call, by the recorded flag or a short text that starts with an error. `failed`
 * and `succeeded`: a program's exit code.
 */
type ToolOutcome = 'refused' | 'failed' | 'succeeded'

/**
 * Exit codes as shells and agents report them, on their own line or in JSON. `exit 1` in a printed script does not
 * count.
 */
const EXIT_CODE =
  /^[^\w\n\r\u2028\u2029]*(?:(?:command|process|program)\s)?(?:exited with(?: code| status)?|exit(?:ed)? (?:code|status)|return ?code)\W{0,3}(-?\d{1,3})\b|[[(]exit(?: code)? (-?\d{1,3})[\])]|"exit_?code"\s?:\s?(-?\d{1,3})\b/im
const EXIT = /exit|return ?code/i
const ERROR_START =
  /^\s*(?:<tool_use_error>|(?:error|fatal|exception|traceback|failed|failure|invalid|cannot|could not|permission denied|no such file|file (?:not found|does not exist)|string to replace not found)\b)/i
const INTERRUPTED =
  /\b(?:interrupted by (?:the )?user|aborted|was rejected|user (?:rejected|declined)|timed out after)\b/i
const END = 400
const SHORT = 2_000

function readOutcome(message: ToolMessage, text: string): ToolOutcome | undefined {
  const head = text.slice(0, END)
  if (isFlagged(message) || (text.length < SHORT && (ERROR_START.test(head) || INTERRUPTED.test(head))))
    return 'refused'
  for (const end of [text.slice(-END), head]) {
    const match = EXIT.test(end) ? EXIT_CODE.exec(end) : null
    if (match !== null) return Number(match[1] ?? match[2] ?? match[3]) === 0 ? 'succeeded' : 'failed'
  }
  return undefined
}

/** `providerData.transcript.isError`, as the readers of session files record it; only `true` decides. */
function isFlagged(message: ToolMessage): boolean {
  const transcript = message.providerData?.transcript
  if (typeof transcript !== 'object' || transcript === null) return false
  return (transcript as Record<string, unknown>).isError === true
}

/**
 * The outcome of a call, if its result shows it: by the recorded flag or an error text; by an exit code only for
 * programs, because a file may contain another program's exit code.
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
