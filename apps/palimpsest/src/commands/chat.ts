import { Command } from 'commander'
import type { ChatFlags } from '../chat/run-chat.ts'
import { parseThreshold, parseWindow } from '../parse-numbers.ts'
import { CONFIG_OPTION, PROFILE_OPTION } from './shared-options.ts'

const EXAMPLES = `
Examples:
  $ palimpsest chat
  $ palimpsest chat "what does this project do?"
  $ palimpsest chat --base-url http://127.0.0.1:11434/v1 --model qwen3-coder --window 32000
  $ palimpsest chat --resume "and the port?"
  $ palimpsest chat --page
  $ git diff | palimpsest chat "review this"
  $ palimpsest chat --json "where is the port set?" > events.jsonl

The model that answers: with GEMINI_API_KEY, Gemini; with --base-url or OPENAI_BASE_URL, the model behind it (--model
or OPENAI_MODEL, and OPENAI_API_KEY if it needs a key). Without a model, answers quote the assembled context
and say so. The same model writes summaries, unless auxiliary.compression of config.yaml names another.

In a terminal this is a conversation: /help shows its commands, Ctrl-C stops a turn. Without a terminal, or
with --json, it is one question: the argument, followed by standard input. The answer goes to
standard output and progress to standard error; commands and edits are refused without --yes.
Exit codes: 0 answered or left, 1 stopped or failed, 2 the call, the configuration or the session was wrong.`

export function chatCommand(): Command {
  return new Command('chat')
    .description('A coding agent in the terminal, whose conversations do not outgrow the context window.')
    .argument('[prompt]', 'the first message')
    .option(
      '--model <name>',
      'as <provider>:<name> (gemini, openai, openrouter, nous, anthropic), or the name that --base-url knows',
    )
    .option('--base-url <url>', 'an OpenAI-compatible API, such as http://127.0.0.1:11434/v1')
    .option('--engine <name>', 'the context engine (default: compressor)')
    .option(...PROFILE_OPTION)
    .option(
      '--window <tokens>',
      "the model's context window (default: the known window of the model)",
      parseWindow,
    )
    .option(
      '--threshold <share>',
      'share of the window at which compaction begins (default: 0.5)',
      parseThreshold,
    )
    .option(
      '--workspace <folder>',
      'the folder that the agent works in, and cannot leave (default: this one)',
    )
    .option('--resume [id]', 'go on with a session (default: the last one of the workspace)')
    .option('--list', 'list the sessions that can be resumed')
    .option('--page', 'serve the page that shows the context live')
    .option('--yes', 'DANGEROUS: run every command and make every edit without asking')
    .option(...CONFIG_OPTION)
    .option('--json', 'one question; print what happens as one JSON object a line')
    .addHelpText('after', EXAMPLES)
    .action(async (prompt: string | undefined, flags: ChatFlags) => {
      const { runChat } = await import('../chat/run-chat.ts')
      process.exitCode = await runChat(prompt, flags, process.env)
    })
}
