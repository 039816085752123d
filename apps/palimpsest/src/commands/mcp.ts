import { Command, Option } from 'commander'
import type { McpFlags } from '../recall/run-mcp.ts'
import { parsePort } from './serve.ts'
import { CONFIG_OPTION } from './shared-options.ts'

const EXAMPLES = `
Examples:
  $ claude mcp add palimpsest -- palimpsest mcp
  $ codex mcp add palimpsest -- palimpsest mcp
  $ palimpsest mcp --scope all
  $ palimpsest mcp --store sessions.db --session main
  $ palimpsest mcp --decisions sessions.db --project shop --record
  $ PALIMPSEST_TOKEN=… palimpsest mcp --port 8787

Without --store, the sessions that coding agents left on this machine ("palimpsest sessions" lists them) are read, with secrets
hidden, into an index below PALIMPSEST_HOME; deleting its folder "recall" loses nothing. Only files that belong to the user are
read. An answer is "complete" only when every file was read to its end, and names the others in "unread".
Over HTTP the address is /mcp. Exit codes: 0 the client left or a signal came, 2 the call or the store was wrong.`

export function mcpCommand(): Command {
  return new Command('mcp')
    .description(
      'Serves the recall tools to a coding agent over MCP: it searches its own past sessions, also messages that a compaction dropped.',
    )
    .addOption(
      new Option('--scope <scope>', 'which sessions of this machine may be read')
        .choices(['project', 'session', 'all'])
        .default('project'),
    )
    .option(
      '--session <id>',
      'the session: of a store, or the one that asks (default: the newest of the project)',
    )
    .option(
      '--project <folder or name>',
      'the folder of the sessions, or with --decisions the name of their project (default: CLAUDE_PROJECT_DIR, else this folder)',
    )
    .option(
      '--branches',
      'search also what was taken back: abandoned branches, and turns that were rolled back',
    )
    .option('--store <file or address>', 'a store, instead of the sessions of this machine')
    .option('--decisions <file or address>', 'a store with decisions, whose tools are offered too')
    .option('--record', 'lets the agent record and retract decisions')
    .option('--principal <name>', 'the owner of the sessions in a store')
    .option(
      '--port <port>',
      'serve over HTTP, instead of standard input and output; 0: any free port',
      parsePort,
    )
    .option('--host <address>', 'where to listen; anything but this machine needs a token', '127.0.0.1')
    .option(...CONFIG_OPTION)
    .addHelpText('after', EXAMPLES)
    .action(async (flags: McpFlags) => {
      const { runMcp } = await import('../recall/run-mcp.ts')
      process.exitCode = await runMcp(flags, process.env)
    })
}
