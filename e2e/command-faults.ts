import type { ExampleHost } from './example-host.ts'
import { type CommandOutput, describeOutput } from './run-command.ts'

/** Faults that a reader finds in the output of a command of a README. */
export function commandFaults(command: string, output: CommandOutput, host: ExampleHost): string[] {
  return command.startsWith('npm install') ? installationFaults(output, host) : programFaults(output, host)
}

/**
 * A failed installation, and everything that looks like a warning. npm warns of scripts that it did not run; pnpm
 * fails, or mentions them when it installs globally. A slow network is not a fault.
 */
function installationFaults(output: CommandOutput, { installScripts = [] }: ExampleHost): string[] {
  if (output.code !== 0) return [describeOutput(output)]
  return `${output.stdout}\n${output.stderr}`
    .split('\n')
    .filter((line) => /\bwarn\b|\bpeer|deprecated|ignored build scripts/i.test(line))
    .filter((line) => !/request took|will retry|download average speed/i.test(line))
    .filter((line) => installScripts.length === 0 || !line.startsWith('npm warn install-scripts'))
}

/** A program that worked has nothing to say on standard error but its notices. */
function programFaults(output: CommandOutput, { notices }: ExampleHost): string[] {
  const said = output.stderr.split('\n').filter((line) => line !== '' && !notices?.test(line))
  return output.code === 0 && said.length === 0 ? [] : [describeOutput(output)]
}
