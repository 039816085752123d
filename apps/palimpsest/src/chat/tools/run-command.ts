import { redactSecrets } from '@palimpsest/core'
import { z } from '@palimpsest/core/options'
import type { AskConsent } from './change-file.ts'
import type { ShellEnd, ShellRunner } from './run-shell.ts'
import { type ChatTool, defineTool, ToolFault } from './tool.ts'
import { TOOL_LIMITS } from './tool-limits.ts'
import type { Workspace } from './workspace.ts'

const SECOND = 1_000

const DESCRIPTION =
  'Runs a shell command in the workspace and returns what it writes, in part if it is much. Nothing can be typed into it. ' +
  `It is ended after ${TOOL_LIMITS.commandTime / SECOND} seconds unless timeout_seconds says otherwise, with all that it ` +
  'started in the background. The user is asked first.'

const schema = z.object({
  command: z.string().min(1).max(20_000).describe('the command, for the shell'),
  timeout_seconds: z
    .int()
    .min(1)
    .max(TOOL_LIMITS.longestCommand / SECOND)
    .optional()
    .describe(`seconds after which it is ended, 1 to ${TOOL_LIMITS.longestCommand / SECOND}`),
})

export interface RunCommandInput {
  readonly workspace: Workspace
  readonly consent: AskConsent
  readonly shell: ShellRunner
  /** Of one result, in characters. */
  readonly characters: number
}

/**
 * The tool for commands. Secrets in what a command writes are redacted: environments and traces of requests show them by
 * accident. Files are not redacted, because an edit needs what really stands there.
 */
export function createRunCommand({ workspace, consent, shell, characters }: RunCommandInput): ChatTool {
  return defineTool({
    name: 'run_command',
    description: DESCRIPTION,
    schema,
    summary: ({ command }) => command,
    async run({ command, timeout_seconds: seconds }, signal) {
      if (command.includes('\0')) throw new ToolFault('a command cannot contain a NUL character')
      await consent({ kind: 'run', subject: command }, signal)
      signal.throwIfAborted()
      const timeLimit = seconds === undefined ? TOOL_LIMITS.commandTime : seconds * SECOND
      const end = await shell.run({
        command,
        folder: workspace.root,
        timeLimit,
        outputLimit: characters,
        signal,
      })
      return { ok: end.code === 0, text: report(end, timeLimit) }
    },
  })
}

function report(end: ShellEnd, timeLimit: number): string {
  const output = redactSecrets(end.output).trimEnd()
  return [output === '' ? '(it wrote nothing)' : output, `(${outcome(end, timeLimit)})`].join('\n')
}

function outcome({ code, killedBy, stopped, hadLeftovers }: ShellEnd, timeLimit: number): string {
  if (stopped === 'user') return 'stopped by the user'
  if (stopped === 'time') return `ended after ${timeLimit / SECOND} seconds, before it was done`
  const end = code === null ? `ended by ${killedBy}` : `exit code ${code}`
  return hadLeftovers ? `${end}; what it left running in the background was ended` : end
}
