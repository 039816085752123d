import { Command, Option } from 'commander'
import { AGENT_NAMES } from '../sessions/agents.ts'
import type { SessionsFlags } from '../sessions/list-sessions.ts'
import { parsePositive } from './shared-options.ts'

const EXAMPLES = `
Examples:
  $ palimpsest sessions
  $ palimpsest sessions --agent codex --all
  $ palimpsest replay 3
  $ palimpsest sessions --json | jq -r '.sessions[].path'

Looks in ~/.claude/projects (CLAUDE_CONFIG_DIR), ~/.codex/sessions and archived_sessions (CODEX_HOME), ~/.pi/agent/sessions
(PI_CODING_AGENT_DIR, PI_CODING_AGENT_SESSION_DIR, pi's setting sessionDir), the databases in ~/.local/share/opencode and
~/.local/share/goose (XDG_DATA_HOME, OPENCODE_DB, GOOSE_PATH_ROOT), ~/.gemini/tmp (GEMINI_CLI_HOME), ~/.qwen (QWEN_RUNTIME_DIR),
~/.copilot/session-state (COPILOT_HOME), ~/.hermes (HERMES_HOME), the folders of Cline and Roo Code in VS Code and its kin, and
.aider.chat.history.md here and above. Records of sub-agents are left out. Nothing is changed or sent anywhere.
The numbers count the sessions of all agents, also with --agent.
Exit codes: 0 listed, even if there was nothing to list, 2 the call was wrong.`

export function sessionsCommand(): Command {
  return new Command('sessions')
    .description('Lists the sessions that coding agents left on this machine, the newest first.')
    .addOption(new Option('--agent <name>', 'only the sessions of one agent').choices(AGENT_NAMES))
    .option('--limit <count>', 'number of sessions to list', parsePositive, 20)
    .option('--all', 'list all of them')
    .option('--json', 'print one JSON object instead of a table')
    .option('--page', 'show them in a browser of this machine, each replayed when it is opened, until Ctrl-C')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: SessionsFlags) => {
      const { listSessions } = await import('../sessions/list-sessions.ts')
      process.exitCode = await listSessions(flags)
    })
}
