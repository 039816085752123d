import { Argument, Command } from 'commander'
import { HOST_NAMES, type HostName } from '../connect/host-names.ts'
import type { ConnectFlags } from '../connect/run-connect.ts'

const EXAMPLES = `
Examples:
  $ palimpsest connect claude-code
  $ palimpsest connect claude-code --project --yes
  $ palimpsest connect codex --print
  $ palimpsest connect opencode --remove

Claude Code gets the server in ~/.claude.json and a hook in ~/.claude/settings.json (both below CLAUDE_CONFIG_DIR if it
is set), or in .mcp.json and .claude/settings.json of this folder. Codex: config.toml and hooks.json in ~/.codex
(CODEX_HOME). opencode: opencode.json or opencode.jsonc in ~/.config/opencode (XDG_CONFIG_HOME), or in this folder. pi,
from version 1 on: mcp.json in ~/.pi/agent (PI_CODING_AGENT_DIR), or in .pi of this folder; @palimpsest/pi is the
extension that keeps its conversations in the window.
The user's configuration is the default: a project's configuration reaches everyone who works on it.
The command written is palimpsest if it is in the PATH, else the program of the clone that runs, else npx -y @palimpsest/cli.
Exit codes: 0 done, or nothing to do, 1 the answer was no, 2 the call or a configuration was wrong; nothing is changed then.`

export function connectCommand(): Command {
  return new Command('connect')
    .description(
      'Connects a coding agent with recall: writes the MCP server, and for Claude Code and Codex a hook, into its configuration.',
    )
    .addArgument(new Argument('<agent>', 'the coding agent').choices(HOST_NAMES))
    .option('--project', 'in the configuration of the project in this folder, not in that of the user')
    .option('--print', 'show the changes, and make none')
    .option('--remove', 'remove the entries again')
    .option('--yes', 'do not ask')
    .addHelpText('after', EXAMPLES)
    .action(async (host: HostName, flags: ConnectFlags) => {
      const { runConnect } = await import('../connect/run-connect.ts')
      process.exitCode = await runConnect(host, flags, process.env)
    })
}
