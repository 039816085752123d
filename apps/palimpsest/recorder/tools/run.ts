import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { normaliseOutput } from './normalise-output.ts'
import type { Tool } from './tool.ts'

/** Milliseconds after which a command is stopped. The slowest one needs about three seconds. */
const TIMEOUT_MS = 60_000

/**
 * Runs a command in the workspace, without a shell and with an empty `PATH`: `node` is the Node that records, and
 * every other program is missing on every machine alike. Node's compile cache lies beside the workspace and halves the
 * time of a recording.
 */
export const run: Tool = (root, args) => {
  const [program = '', ...rest] = splitCommand(String(args.command))
  if (program !== 'node') {
    return { output: `${program}: command not found\n[exit 127]`, failed: true, exitCode: 127 }
  }
  const child = spawnSync(process.execPath, rest, {
    cwd: root,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    env: { ...environment, NODE_COMPILE_CACHE: join(dirname(root), 'compile-cache') },
  })
  if (child.error !== undefined) throw child.error
  const exitCode = child.status ?? -1
  const output = normaliseOutput(root, child.stdout + child.stderr)
  return {
    output: `${output}${output === '' ? '' : '\n'}[exit ${exitCode}]`,
    failed: exitCode !== 0,
    exitCode,
  }
}

const environment = {
  PATH: '',
  TZ: 'UTC',
  LANG: 'C',
  NODE_ENV: 'test',
  NO_COLOR: '1',
  NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
}

/** Splits at blanks; single quotes hold an argument together. */
function splitCommand(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word)
}
