import { Command, Option } from 'commander'
import { AGENT_NAMES } from '../sessions/agents.ts'
import type { CompactFlags } from '../sessions/compact-session.ts'
import type { ExportFlags } from '../sessions/export-session.ts'
import type { SessionsFlags } from '../sessions/list-sessions.ts'
import type { SearchFlags } from '../sessions/search-sessions.ts'
import { parsePositive, ROLES, repeatable, run } from './shared-options.ts'

const EXAMPLES = `
Examples:
  $ palimpsest sessions
  $ palimpsest sessions --agent codex --all
  $ palimpsest sessions search "which port did we choose" --project .
  $ palimpsest replay 3
  $ palimpsest sessions export 26cf5b9c > session.md
  $ palimpsest sessions compact 3
  $ palimpsest sessions --json | jq -r '.sessions[].path'

Looks in ~/.claude/projects (CLAUDE_CONFIG_DIR), ~/.codex/sessions and archived_sessions (CODEX_HOME), ~/.pi/agent/sessions
(PI_CODING_AGENT_DIR, PI_CODING_AGENT_SESSION_DIR, pi's setting sessionDir), the databases in ~/.local/share/opencode and
~/.local/share/goose (XDG_DATA_HOME, OPENCODE_DB, GOOSE_PATH_ROOT), ~/.gemini/tmp (GEMINI_CLI_HOME), ~/.qwen (QWEN_RUNTIME_DIR),
~/.copilot/session-state (COPILOT_HOME), ~/.hermes (HERMES_HOME), the folders of Cline and Roo Code in VS Code and its kin, and
.aider.chat.history.md here and above. Records of sub-agents are left out. Nothing is changed or sent anywhere.
The numbers count the sessions of all agents, also with --agent, and change with each new session. An id stays; its beginning is
enough where no other id has it.
Exit codes: 0 listed, even if there was nothing to list, 2 the call was wrong.`

const SEARCH_EXAMPLES = `
Examples:
  $ palimpsest sessions search port
  $ palimpsest sessions search "why did the build fail" --agent codex --since 2026-01-31
  $ palimpsest sessions search 'flaky test' --project . --json

The index is that of "palimpsest mcp", below PALIMPSEST_HOME, with secrets hidden: only sessions that changed are read again.
Each hit has its session, time, role and words; the commands below the hits read on.
Exit codes: 0 searched, even if nothing was found, 2 the call was wrong.`

const EXPORT_EXAMPLES = `
Examples:
  $ palimpsest sessions export 3 > session.md
  $ palimpsest sessions export 3 --format jsonl --redact > session.jsonl

Results that Claude Code saved to files of their own are written whole. Exit codes: 0 written, 2 the call was wrong.`

const COMPACT_EXAMPLES = `
Examples:
  $ palimpsest sessions compact 3
  $ palimpsest sessions compact 3 --window 100000

For a session that its agent cannot send any more because it is too large. No model is asked: the user's words, the files that
changed and the newest messages are kept. The original is never touched. Exit codes: 0 written, 2 the call was wrong.`

const SESSION = 'an id of the list or its beginning, a number of the list, or the path of a file'

export function sessionsCommand(): Command {
  const sessions = new Command('sessions')
    .description('Lists the sessions that coding agents left on this machine, the newest first.')
    .addOption(new Option('--agent <name>', 'only the sessions of one agent').choices(AGENT_NAMES))
    .option('--limit <count>', 'number of sessions to list', parsePositive, 20)
    .option('--all', 'list all of them')
    .option('--json', 'print one JSON object instead of a table')
    .option('--page', 'show them in a browser of this machine, each replayed when it is opened, until Ctrl-C')
    .addHelpText('after', EXAMPLES)
    .enablePositionalOptions()
    .action(async (flags: SessionsFlags) => {
      const { listSessions } = await import('../sessions/list-sessions.ts')
      process.exitCode = await listSessions(flags)
    })
  sessions
    .command('search')
    .description('Searches what was said and done in the sessions of all agents, also before a compaction.')
    .argument('<words...>', 'words or a question; foo* for a beginning, \'"a phrase"\' for exactly that')
    .addOption(new Option('--agent <name>', 'only the sessions of one agent').choices(AGENT_NAMES))
    .option(
      '--project <folder>',
      'only the sessions of this folder, such as . (default: all of this machine)',
    )
    .addOption(repeatable(new Option('--role <role>', 'only this role; may be given several times'), ROLES))
    .option('--since <time>', 'only from this date on, such as 2026-01-31')
    .option('--before <time>', 'only before this date')
    .option('--limit <hits>', 'hits at most', parsePositive, 10)
    .option('--json', 'print one JSON object')
    .addHelpText('after', SEARCH_EXAMPLES)
    .action(
      run(async (words: readonly string[], flags: SearchFlags) =>
        (await import('../sessions/search-sessions.ts')).searchSessions(words, flags),
      ),
    )
  sessions
    .command('export')
    .description('Writes any session as Markdown, or as messages, one a line.')
    .argument('<session>', SESSION)
    .addOption(new Option('--format <name>', 'how').choices(['markdown', 'jsonl']).default('markdown'))
    .option('--branches', 'also what was taken back')
    .option('--redact', 'take keys, tokens and passwords out of it')
    .addHelpText('after', EXPORT_EXAMPLES)
    .action(
      run(async (session: string, flags: ExportFlags) =>
        (await import('../sessions/export-session.ts')).exportSession(session, flags),
      ),
    )
  sessions
    .command('compact')
    .description('Compacts a session of Claude Code or Codex offline into a new one that its agent resumes.')
    .argument('<session>', SESSION)
    .option('--window <tokens>', "the model's context window", parsePositive, 200_000)
    .addHelpText('after', COMPACT_EXAMPLES)
    .action(
      run(async (session: string, flags: CompactFlags) =>
        (await import('../sessions/compact-session.ts')).compactSession(session, flags),
      ),
    )
  return sessions
}
