import { Command, InvalidArgumentError } from 'commander'
import { parseCount, parseThreshold, parseWindow } from '../parse-numbers.ts'
import type { ServeFlags } from '../serve/run-serve.ts'
import { SERVE_DEFAULTS } from '../serve/serve-defaults.ts'
import { CONFIG_OPTION, PROFILE_OPTION } from './shared-options.ts'

const EXAMPLES = `
Examples:
  $ palimpsest serve
  $ palimpsest serve --store sessions.db
  $ palimpsest serve --engine lcm --port 0 --json
  $ PALIMPSEST_STORE_URL=postgres://… palimpsest serve
  $ palimpsest serve --upstream https://api.openai.com/v1 --window 128000
  $ PALIMPSEST_TOKEN=… palimpsest serve --host 0.0.0.0 --store /var/lib/palimpsest/sessions.db

With GEMINI_API_KEY, Gemini answers; with OPENAI_BASE_URL or OPENAI_API_KEY, and OPENAI_MODEL, that model; serve.answer_model
of config.yaml names any other. Without one, answers quote the assembled context and say so. auxiliary.compression names the
model that writes summaries (default: the model that answers). The engine is decisions over lcm unless context.engine names another.
The routes of the service are POST /init, /query, /compact and GET /state, /costs, /health; the page is at /. With --upstream,
clients whose base URL is <address>/v1 get a gateway: for OpenAI's Chat Completions and Responses, and Anthropic's Messages. The
client's key goes to the upstream, or that of PALIMPSEST_UPSTREAM_KEY instead.
Exit codes: 0 stopped by a signal, 2 the call, the configuration or the store was wrong.`

export const WINDOW_OPTION = [
  '--window <tokens>',
  `the model's context window; a smaller one compacts earlier (default: the model's own, else ${SERVE_DEFAULTS.window})`,
  parseWindow,
] as const
export const THRESHOLD_OPTION = [
  '--threshold <share>',
  'share of the window at which compaction begins (default: 0.5; without a model more in windows below 128,000 tokens)',
  parseThreshold,
] as const

export function serveCommand(): Command {
  return new Command('serve')
    .description(
      'Runs Palimpsest as an HTTP service, or as a gateway in front of a model, with a page that shows its sessions.',
    )
    .option('--port <port>', 'where to listen; 0: any free port', parsePort, SERVE_DEFAULTS.port)
    .option(
      '--host <address>',
      'where to listen; anything but this machine needs a token',
      SERVE_DEFAULTS.host,
    )
    .option(
      '--store <file or address>',
      'keeps sessions: a file, or postgres://… for several processes (default: store.url, else memory)',
    )
    .option(
      '--engine <name>',
      'the context engine (default: decisions over lcm, whose memory the routes show)',
    )
    .option(...PROFILE_OPTION)
    .option(...WINDOW_OPTION)
    .option(...THRESHOLD_OPTION)
    .option(
      '--time-limit <seconds>',
      'how long a call may take',
      parseSeconds,
      SERVE_DEFAULTS.timeLimit / 1_000,
    )
    .option(
      '--upstream <url>',
      'an OpenAI-compatible service that the gateway at /v1 forwards to, such as https://api.openai.com/v1',
      parseUpstream,
    )
    .option(...CONFIG_OPTION)
    .option('--json', 'print the start line as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: ServeFlags) => {
      const { runServe } = await import('../serve/run-serve.ts')
      process.exitCode = await runServe(flags, process.env)
    })
}

export function parsePort(text: string): number {
  const port = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new InvalidArgumentError('Use a port from 0 to 65535.')
}

export function parseUpstream(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text
  throw new InvalidArgumentError('Use an address with its version, such as https://api.openai.com/v1.')
}

function parseSeconds(text: string): number {
  const seconds = parseCount(text)
  if (seconds >= 1 && seconds <= 86_400) return seconds
  throw new InvalidArgumentError('Use whole seconds, from 1 to 86400.')
}
