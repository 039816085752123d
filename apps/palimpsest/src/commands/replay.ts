import { Command } from 'commander'
import { parseThreshold, parseWindow } from '../parse-numbers.ts'
import type { ReplayFlags } from '../replay/run-replay.ts'
import { CONFIG_OPTION } from './shared-options.ts'

const EXAMPLES = `
Examples:
  $ palimpsest replay session.jsonl
  $ palimpsest replay 1            (the newest of "palimpsest sessions")
  $ palimpsest replay session.jsonl --window 32000 --threshold 0.6
  $ palimpsest replay session.jsonl --engine lcm --store sessions.db
  $ palimpsest replay session.jsonl --engine decisions --store sessions.db --session shop
  $ palimpsest replay session.jsonl --provider openai:gpt-6.2-sol
  $ palimpsest replay session.jsonl --json > report.json
  $ palimpsest replay session.jsonl --html session.html --redact --compare lcm,decisions

Formats, detected from the content: pi, Claude Code, Codex, opencode, Gemini CLI, Qwen Code, Copilot CLI, goose, aider and
Hermes Agent sessions, and messages as OpenAI or Anthropic take them (JSON or JSONL).
Exit codes: 0 all well, 1 an invariant was violated, 2 the call, the file or the engine was wrong.`

export function replayCommand(): Command {
  return addReplayOptions(new Command('replay'))
    .description('Sends a recorded session through an engine, turn by turn, as its host would have.')
    .argument(
      '<session>',
      'the file of a recorded session, or its id or number in the list of "palimpsest sessions"',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (session: string, flags: ReplayFlags) => {
      const { findSession } = await import('../sessions/session-file.ts')
      const { loadConfiguration } = await import('../engines/configuration.ts')
      const { runReplay } = await import('../replay/run-replay.ts')
      const { path, note } = await findSession(session)
      if (note !== undefined) process.stderr.write(`${note}\n`)
      process.exitCode = await runReplay(path, await loadConfiguration(flags.config, process.cwd()), flags)
    })
}

export function addReplayOptions(command: Command, window = 200_000, engine = 'compressor'): Command {
  return command
    .option('--engine <name>', `the context engine (default: ${engine})`)
    .option('--profile <name>', "the engine's profile: default or seed for decisions")
    .option('--window <tokens>', "the model's context window", parseWindow, window)
    .option(
      '--threshold <share>',
      'share of the window at which compaction begins (default: 0.5; without a model more in windows below 128,000 tokens)',
      parseThreshold,
    )
    .option(
      '--store <file or address>',
      'where the session is kept: a file or a PostgreSQL database (default: memory)',
    )
    .option(
      '--session <id>',
      "the session's id in the store (default: the file's name without its extension)",
    )
    .option(
      '--model <name>',
      'the model that summarises, named as in chat (default: that of auxiliary.compression, else none, offline)',
    )
    .option(
      '--base-url <url>',
      'the address of that model: an OpenAI-compatible API, or another address of its provider',
    )
    .option(
      '--provider <name>',
      "the provider of the bill's prices: anthropic, openai, gemini, deepseek or qwen, with a model as <name>:<model> (default: the recording's model)",
    )
    .option('--json', 'print one JSON object instead of tables')
    .option('--html <file>', 'write the session as a page into one file, for a browser')
    .option('--redact', 'take keys, tokens and passwords out of that page')
    .option('--force', 'overwrite a file there that is no such page')
    .option('--compare <engines>', 'show these engines beside it on the page, as in lcm,decisions')
    .option(...CONFIG_OPTION)
}
