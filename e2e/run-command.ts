import { spawn } from 'node:child_process'

/** The output of a finished command. */
export interface CommandOutput {
  /** The exit code, or -1 if a signal ended the command. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface CommandSettings {
  readonly cwd: string
  /** The whole environment of the command; the default is that of this process. */
  readonly env?: NodeJS.ProcessEnv
  /** Kills the command, whose output is rejected then. */
  readonly signal?: AbortSignal
}

/** Runs a command without a shell and without standard input, and returns its output whatever its exit code is. */
export function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env = process.env, signal }: CommandSettings,
): Promise<CommandOutput> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...{ cwd, env, signal, killSignal: 'SIGKILL' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        output[stream] += text
      })
    }
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? -1, ...output }))
  })
}

/** Like `runCommand`, and rejects with the command and all that it printed if the exit code is not 0. */
export async function mustRun(
  command: string,
  args: readonly string[],
  settings: CommandSettings,
): Promise<CommandOutput> {
  const result = await runCommand(command, args, settings)
  if (result.code === 0) return result
  throw new Error(`${command} ${args.join(' ')} in ${settings.cwd} ${describeOutput(result)}`)
}

/** The end of a command and all its output, for people. */
export function describeOutput({ code, stdout, stderr }: CommandOutput): string {
  const lines = [stdout, stderr].flatMap((text) => text.trimEnd().split('\n')).filter((line) => line !== '')
  // Marked, so that a stack in the output is not taken for the stack of the failure.
  return [`exited with ${code}:`, ...lines.map((line) => `| ${line}`)].join('\n')
}
