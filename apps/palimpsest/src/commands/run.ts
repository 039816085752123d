import { Argument, Command } from 'commander'
import { CLIENTS, type ClientName } from '../run/clients.ts'
import type { RunFlags } from '../run/run-client.ts'
import { parseUpstream, THRESHOLD_OPTION, WINDOW_OPTION } from './serve.ts'
import { CONFIG_OPTION, PROFILE_OPTION } from './shared-options.ts'

const EXAMPLES = `
Examples:
  $ palimpsest run claude
  $ palimpsest run claude --window 100000 -- --resume
  $ palimpsest run codex --engine compressor -- exec "fix the tests"
  $ palimpsest run codex --upstream https://chatgpt.com/backend-api/codex
  $ palimpsest run opencode --upstream https://openrouter.ai/api/v1 --model qwen/qwen3-coder

The gateway runs as long as the client does, on a free port of this machine. It first prints the address of its page, who writes
summaries and reads decisions, and where sessions are kept.
Name a model for summaries and decisions: auxiliary.compression in config.yaml. If it names none, GEMINI_API_KEY chooses Gemini, and
OPENAI_MODEL that model with OPENAI_API_KEY, which Codex and opencode may use too. The key or login in the client's requests is never
used for this. Without a model, summaries quote the conversation, and only the decisions that the agent records are kept.
The client's configuration is not changed. Requests have the client's own key, or that of PALIMPSEST_UPSTREAM_KEY.
Codex sends OPENAI_API_KEY, and without it the key of its login; opencode sends OPENAI_API_KEY.
Exit codes: that of the client; 2 the call or the configuration was wrong, or the client is not installed.`

export function runCommand(): Command {
  return new Command('run')
    .description(
      'Runs a coding agent with its context managed: a gateway, and the client set up for it, for this one run.',
    )
    .addArgument(new Argument('<client>', 'the coding agent').choices(Object.keys(CLIENTS)))
    .argument('[arguments...]', "the client's own arguments, after --")
    .option('--engine <name>', 'the context engine (default: decisions over lcm)')
    .option(...PROFILE_OPTION)
    .option(...WINDOW_OPTION)
    .option(...THRESHOLD_OPTION)
    .option(
      '--upstream <url>',
      "the address of the model's API, with its version (default: the client's own provider)",
      parseUpstream,
    )
    .option('--model <name>', "opencode: the upstream's model")
    .option(
      '--store <file or address>',
      'keeps the sessions (default: store.url, else runs.db in your own folder)',
    )
    .option('--no-store', 'keep nothing when the client ends')
    .option(...CONFIG_OPTION)
    .addHelpText('after', EXAMPLES)
    .action(async (client: ClientName, args: readonly string[], flags: RunFlags) => {
      const { runClient } = await import('../run/run-client.ts')
      process.exitCode = await runClient(client, args, flags, process.env)
    })
}
