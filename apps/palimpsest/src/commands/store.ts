import { Command } from 'commander'
import type { SessionFlags } from '../lcm/choose-session.ts'
import type { ImportFlags } from '../stores/import-files.ts'
import type { VerifyFlags } from '../stores/verify-store.ts'
import { ownedCommand, parseName, run, storeCommand } from './shared-options.ts'

const EXAMPLES = `
Examples:
  $ palimpsest store import sessions/ --store sessions.db
  $ palimpsest store export --store sessions.db > sessions.jsonl
  $ palimpsest store verify --store sessions.db

A store holds all that was said in sessions, with summaries and decisions. It is a file, or a PostgreSQL database. --store may be
left out when PALIMPSEST_STORE_URL is set, or config.yaml has "url: <file or address>" in the block "store:".
A principal is the owner of a session, a user or a tenant.
Exit codes: 0 all well, 1 verify found a fault, 2 the call, a file or the store was wrong.`

const IMPORT_EXAMPLES = `
Examples:
  $ palimpsest store import session.jsonl --store sessions.db
  $ palimpsest store import ~/.pi/agent/sessions/project --store sessions.db
  $ palimpsest store import backup.jsonl --store sessions.db
  $ palimpsest store export --store old.db | palimpsest store import - --store postgres://me@db.example.org/agents

A recording with no message in common with the stored session of its name is refused: give it a name with --session.
Formats, detected from the content: pi, Claude Code, Codex, opencode, messages of OpenAI or Anthropic as JSON or JSONL.`

export function storeCommands(): Command {
  const store = new Command('store')
    .description('Imports into a store, exports it, checks it and repairs it.')
    .addHelpText('after', EXAMPLES)

  ownedCommand(
    store,
    'import',
    'Stores recorded sessions, or the output of "export". What is there already is not stored again.',
  )
    .argument(
      '<files...>',
      'session files, exports, folders with session files in them, or - for standard input',
    )
    .option(
      '--session <id>',
      "the session's id, for one file (default: the file's name without its extension)",
      parseName,
    )
    .addHelpText('after', IMPORT_EXAMPLES)
    .action(
      run(async (files: string[], flags: ImportFlags) =>
        (await import('../stores/import-files.ts')).importFiles(files, flags),
      ),
    )

  ownedCommand(store, 'export', 'Writes the store as JSON lines with a checksum at the end.')
    .option('--session <id>', 'only this session (default: all, with the decisions)')
    .action(
      run(async (flags: SessionFlags) => (await import('../stores/export-store.ts')).exportStore(flags)),
    )

  storeCommand(
    store,
    'verify',
    'Proves a store: every row is as it was stored, and every message is covered exactly once.',
  )
    .option('--repair', 'make the index anew; a file is copied to <file>.before-repair-<n> first')
    .action(run(async (flags: VerifyFlags) => (await import('../stores/verify-store.ts')).verifyStore(flags)))
  return store
}
