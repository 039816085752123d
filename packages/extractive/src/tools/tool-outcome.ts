import type { ToolMessage } from '@palimpsest/core'
import { oneLine } from '../text/one-line.ts'
import { shorten } from '../text/shorten.ts'
import { errorLines } from './error-lines.ts'
import { testSummary } from './test-summary.ts'

/** What is kept of the result of a tool call. */
export interface OutcomeDigest {
  readonly callId: string
  /** The tool itself says that the call failed: the recorded flag, or a short result that begins with an error. */
  readonly refused: boolean
  /** What a program's output says, by failed tests or an exit code; undefined when nothing says. */
  readonly failed: boolean | undefined
  /** Up to three error lines, verbatim. Those of a file that was read are no failure. */
  readonly errors: readonly string[]
  /** What a person would quote: a test summary, the only line, or the last words of what failed. May be empty. */
  readonly detail: string
}

/** As shells and agents report it, on a line of its own or in JSON; `exit 1` in a script that was printed is none. */
const EXIT_CODE =
  /^\W*(?:(?:command|process|program)\s)?(?:exited with(?: code| status)?|exit(?:ed)? (?:code|status)|return ?code)\W{0,3}(-?\d{1,3})\b|[[(]exit(?: code)? (-?\d{1,3})[\])]|"exit_?code"\s?:\s?(-?\d{1,3})\b/im
const MAX_DETAIL_CHARS = 240
const ERROR_START =
  /^\s*(?:<tool_use_error>|(?:error|fatal|exception|traceback|failed|failure|invalid|cannot|could not|permission denied|no such file|file (?:not found|does not exist)|string to replace not found)\b)/i
const INTERRUPTED =
  /\b(?:interrupted by (?:the )?user|aborted|was rejected|user (?:rejected|declined)|timed out after)\b/i

/** Digests the result of a tool call. Looks at both ends of the text only, so the work is bounded. */
export function digestOutcome(message: ToolMessage, text: string): OutcomeDigest {
  const head = text.slice(0, 400)
  const tail = text.slice(-400)
  const tests = testSummary(text)
  const errors = errorLines(text)
  const refused =
    isFlagged(message) || (text.length < 2000 && (ERROR_START.test(head) || INTERRUPTED.test(head)))
  return {
    callId: typeof message.tool_call_id === 'string' ? message.tool_call_id : '',
    refused,
    failed: failedBy(exitCodeOf(head, tail), tests?.failed),
    errors,
    detail: tests?.text ?? (onlyLine(text) || (refused ? lastWords(text) : '')),
  }
}

/** Failed tests weigh more than an exit code, which a pipe may have hidden. */
function failedBy(exitCode: number | undefined, tests: boolean | undefined): boolean | undefined {
  if (tests) return true
  return exitCode === undefined ? (tests === false ? false : undefined) : exitCode !== 0
}

/** `providerData.transcript.isError`, as the readers of session files record it; only `true` decides. */
function isFlagged(message: ToolMessage): boolean {
  const transcript = message.providerData?.transcript
  if (typeof transcript !== 'object' || transcript === null) return false
  return (transcript as Record<string, unknown>).isError === true
}

function exitCodeOf(head: string, tail: string): number | undefined {
  const match = EXIT_CODE.exec(tail) ?? EXIT_CODE.exec(head)
  const code = match?.[1] ?? match?.[2] ?? match?.[3]
  return code === undefined ? undefined : Number(code)
}

/** A short text, or the last line of a long one: where a program that failed says why. */
function lastWords(text: string): string {
  if (text.length <= MAX_DETAIL_CHARS) return oneLine(text)
  const line = text.slice(-2000).trim().split('\n').at(-1) ?? ''
  return shorten(oneLine(line.slice(0, 1000)), MAX_DETAIL_CHARS)
}

/** A line that says nothing but that a program ended. */
const EXIT_ONLY = /^\W*(?:command |process )?exit(?:ed)?\b.{0,24}$/i

/** The result when it is one line that a person would quote. */
function onlyLine(text: string): string {
  const line = text.length > 400 ? '' : oneLine(text.trim().split('\n', 2).length === 1 ? text : '')
  return line.length <= 120 && !EXIT_ONLY.test(line) ? line : ''
}
