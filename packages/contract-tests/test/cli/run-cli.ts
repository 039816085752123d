import { type ChildProcess, spawn } from 'node:child_process'
import { commandOf } from '../../../../scripts/command-of.ts'

const PROGRAM = commandOf('packages/contract-tests/src/cli/main.ts')

export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly cwd?: string
  /** Where the command may put temporary files. */
  readonly tmp?: string
  /** Called whenever something was printed on standard output, with all of it so far. */
  readonly onOutput?: (stdout: string, child: ChildProcess) => void
}

/** Runs the command as a person would, without a terminal. */
export function runCli(args: readonly string[], { cwd, tmp, onOutput }: CliOptions = {}): Promise<CliResult> {
  const { FORCE_COLOR: _, ...env } = process.env
  const child = spawn(process.execPath, [...PROGRAM, ...args], {
    cwd,
    env: { ...env, ...(tmp !== undefined && { TMPDIR: tmp, TEMP: tmp, TMP: tmp }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output.stdout += text
      onOutput?.(output.stdout, child)
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output.stderr += text
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...output }))
  })
}
