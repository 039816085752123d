import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import spawn from 'cross-spawn'
import { hasProgram } from '../has-program.ts'
import { type ServeFlags, serveFlags } from '../serve/run-serve.ts'
import { SERVE_DEFAULTS } from '../serve/serve-defaults.ts'
import { UsageError } from '../usage-error.ts'
import { CLIENTS, type ClientName } from './clients.ts'

export interface RunFlags
  extends Pick<ServeFlags, 'engine' | 'profile' | 'threshold' | 'window' | 'store' | 'upstream' | 'config'> {
  readonly model?: string
}

const LOG_LIMIT = 20
/** The folder is shared by all runs, so that a client that resumes a session finds what the engine knew. */
const OWN_STORE = 'runs.db'

/**
 * Runs a client with its own gateway and returns the client's exit code.
 *
 * @param args The client's arguments.
 */
export async function runClient(
  name: ClientName,
  args: readonly string[],
  { model, ...flags }: RunFlags,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const client = CLIENTS[name]
  const upstream = flags.upstream ?? client.upstream(environment)
  if (upstream === undefined)
    throw new UsageError(
      `${name} has no provider of its own: name one with --upstream <url>, such as https://openrouter.ai/api/v1, and its model with --model`,
    )
  if (model !== undefined && name !== 'opencode')
    throw new UsageError(
      `--model is for opencode; ${name} takes its own: palimpsest run ${name} -- --model ${model}`,
    )
  if (!hasProgram(name, environment))
    throw new UsageError(`${name} is not installed, or not in the PATH: npm install -g ${client.package}`)
  // The terminal is the client's: what failed is said when it is done.
  const failed = new Set<string>()
  const log = (line: string) => {
    if (/^(?:error|warning): /.test(line) && failed.size < LOG_LIMIT) failed.add(line)
  }
  // A token would exclude the client, which sends its own key. The gateway listens only locally.
  const { PALIMPSEST_TOKEN: _, ...rest } = environment
  const { host, timeLimit } = SERVE_DEFAULTS
  const serve = { ...flags, upstream, host, port: 0, timeLimit: timeLimit / 1_000 }
  const { service, title, facts, gatewayNotes } = await serveFlags(serve, rest, log, OWN_STORE)
  try {
    const { url } = service
    const launch = client.launch({ url, environment, model, upstream })
    const kept =
      facts.store === null
        ? 'Sessions are in memory, gone with this run'
        : `Sessions are kept in ${facts.store} (--no-store keeps nothing)`
    const page = `the page is ${url}/ (engine ${title}, in front of ${upstream})`
    for (const line of [page, ...gatewayNotes, kept]) process.stderr.write(`palimpsest: ${line}\n`)
    // On Windows clients are npm scripts, which only a shell starts.
    const child = spawn(name, [...launch.args, ...args], {
      env: { ...environment, ...launch.env },
      stdio: 'inherit',
    })
    return await exitCode(child)
  } finally {
    await service.close()
    for (const line of failed) process.stderr.write(`palimpsest: ${line}\n`)
  }
}

/** Passes signals on until the child ends; its exit code, as a shell would have it. */
async function exitCode(child: ChildProcess): Promise<number> {
  const pass = (signal: NodeJS.Signals) => {
    // A terminal sends Ctrl-C to both, and many clients stop at once on a second one.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, pass)
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, signal) =>
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      )
    })
  } finally {
    for (const signal of signals) process.off(signal, pass)
  }
}
