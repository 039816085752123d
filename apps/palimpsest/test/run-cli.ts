import { spawn } from 'node:child_process'
import { commandOf } from '../../../scripts/command-of.ts'

/** Arguments for Node that start the program. */
export const PROGRAM = commandOf('apps/palimpsest/src/main.ts')

export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command line as a person would, without a terminal. `input`: what is piped to it. */
export function runCli(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; input?: string } = {},
): Promise<CliResult> {
  const child = startCli(args, options.cwd, options.env)
  return new Promise((resolve, reject) => {
    const output = { stdout: '', stderr: '' }
    child.stdin.end(options.input)
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output.stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output.stderr += text
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...output }))
  })
}

/** The program in a process of its own, which a test may end. `before`: what starts it, such as a shell that limits it. */
export function startCli(
  args: readonly string[],
  cwd: string | undefined,
  more: Record<string, string> = {},
  before: readonly string[] = [],
) {
  const { GEMINI_API_KEY: _, PALIMPSEST_DEBUG: __, NO_COLOR: ___, OPENAI_MODEL: ____, ...env } = process.env
  const [program = '', ...rest] = [...before, process.execPath, ...PROGRAM, ...args]
  return spawn(program, rest, {
    cwd,
    env: { ...env, CI: 'true', ...more },
    stdio: 'pipe',
  })
}
