import { Argument, Command, Option } from 'commander'
import type { SessionFlags } from '../lcm/choose-session.ts'
import type { ContextFlags } from '../lcm/context.ts'
import type { ExpandFlags } from '../lcm/expand.ts'
import type { ExportFlags } from '../lcm/export-sessions.ts'
import type { ForgetFlags } from '../lcm/forget.ts'
import type { GrepFlags } from '../lcm/grep.ts'
import type { ImportFlags } from '../lcm/import-files.ts'
import type { SessionsFlags } from '../lcm/sessions.ts'
import type { VerifyFlags } from '../lcm/verify.ts'
import { parseContext, parseCount, parseWindow } from '../parse-numbers.ts'
import {
  createStoreCommands,
  parseName,
  parsePositive,
  repeatable,
  run,
  type StoreCommands,
} from './shared-options.ts'

const ROLES = ['user', 'assistant', 'tool', 'system', 'developer']

interface LcmCommands extends StoreCommands {
  /** And with `--session`. */
  sessionCommand(name: string, description: string): Command
}

/** `palimpsest lcm …`: the commands on a store of conversations. Nothing of it is loaded before one runs. */
export function lcmCommand(): Command {
  const lcm = new Command('lcm')
    .description('Stores conversations, searches and reads them, proves and mends the store.')
    .addHelpText('after', LCM_EXAMPLES)
  const commands = createStoreCommands({ parent: lcm, block: 'lcm', content: 'sessions' })
  const all: LcmCommands = {
    ...commands,
    sessionCommand: (name, description) =>
      commands
        .ownedCommand(name, description)
        .option('--session <id>', 'the session (default: the only one of the store)'),
  }
  addImport(all)
  addGrep(all)
  addReading(all)
  addVerify(all)
  addExport(all)
  addForget(all)
  return lcm
}

function addImport({ ownedCommand }: LcmCommands): void {
  ownedCommand(
    'import',
    'Stores recorded sessions, or the output of "export". Existing messages are not stored again.',
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
    .option(
      '--summarise',
      'also write summaries, without a model, of the messages that do not fit the window',
    )
    .option('--window <tokens>', "the model's context window, for --summarise", parseWindow, 200_000)
    .addHelpText('after', IMPORT_EXAMPLES)
    .action(
      run(async (files: string[], flags: ImportFlags) =>
        (await import('../lcm/import-files.ts')).importFiles(files, flags),
      ),
    )
}

function addGrep({ sessionCommand }: LcmCommands): void {
  sessionCommand('grep', 'Searches texts, tool calls with their arguments, and tool results.')
    .argument('<query>', 'words that must all occur, foo* for a beginning, "a phrase"; see --mode')
    .addOption(
      new Option('--mode <mode>', 'how the query is read')
        .choices(['text', 'substring', 'regex'])
        .default('text'),
    )
    .addOption(repeatable(new Option('--role <role>', 'only this role; may be given several times'), ROLES))
    .option('--since <time>', 'only from this time on, such as 2026-01-31T12:00:00Z')
    .option('--before <time>', 'only before this time')
    .addOption(
      new Option('--scope <scope>', 'where to look')
        .choices(['messages', 'summaries', 'both'])
        .default('messages'),
    )
    .addOption(
      new Option(
        '--order <order>',
        'which hits come first (default: the newest with all words, else the best)',
      ).choices(['newest', 'oldest', 'relevance']),
    )
    .option('--limit <hits>', 'hits at most', parsePositive, 10)
    .option('--context <lines>', 'lines to show around each match, up to 5', parseContext)
    .option('--cursor <cursor>', 'go on where an earlier answer ended')
    .option('--all', 'search all sessions of the principal')
    .option('--replaced', 'also messages that an edit of the history replaced')
    .action(
      run(async (query: string, flags: GrepFlags) => (await import('../lcm/grep.ts')).grep(query, flags)),
    )
}

function addReading({ ownedCommand, sessionCommand }: LcmCommands): void {
  sessionCommand('describe', 'The facts about a session, a summary or a message.')
    .argument('[id]', 'a message such as m57 or a summary such as s3 (default: an overview)')
    .action(
      run(async (id: string | undefined, flags: SessionFlags) =>
        (await import('../lcm/describe.ts')).describe(id, flags),
      ),
    )

  sessionCommand('expand', 'A whole message, or the sources of a summary.')
    .argument('<id>', 'a message such as m57 or a summary such as s3')
    .option('--offset <n>', 'bytes of the message, or sources of the summary, to skip', parseCount)
    .option('--limit <n>', 'bytes or sources at most (default: all)', parsePositive)
    .addOption(
      new Option('--form <form>', 'form of a message: to read, or exactly as stored').choices([
        'text',
        'json',
      ]),
    )
    .action(
      run(async (id: string, flags: ExpandFlags) => (await import('../lcm/expand.ts')).expand(id, flags)),
    )

  sessionCommand('context', "The model's view of the session, now or at an earlier moment.")
    .option(
      '--at <moment>',
      'the moment when a message was the last one (m57), or a version of the summaries ("version 3")',
    )
    .action(run(async (flags: ContextFlags) => (await import('../lcm/context.ts')).context(flags)))

  ownedCommand('sessions', 'The sessions of a principal.')
    .addOption(allPrincipals())
    .action(run(async (flags: SessionsFlags) => (await import('../lcm/sessions.ts')).sessions(flags)))
}

function addVerify({ command }: LcmCommands): void {
  command(
    'verify',
    'Proves that every message is stored as it came, and is covered exactly once: in the whole store, ' +
      'for all principals, unless --principal or --session narrows it.',
  )
    .option('--principal <name>', 'only the sessions of this user or tenant (default: all)', parseName)
    .option('--session <id>', 'only this session (default: all; its principal is local unless it is named)')
    .option('--repair', 'make indexes anew; a file is copied to <file>.before-repair-<n> first')
    .action(run(async (flags: VerifyFlags) => (await import('../lcm/verify.ts')).verify(flags)))
}

function addExport({ ownedCommand }: LcmCommands): void {
  ownedCommand(
    'export',
    "Writes a principal's sessions as JSON lines with a hash at the end. The same content gives the same bytes.",
  )
    .option('--session <id>', 'only this session (default: all of the principal)')
    .addOption(allPrincipals())
    .action(
      run(async (flags: ExportFlags) => (await import('../lcm/export-sessions.ts')).exportSessions(flags)),
    )
}

function addForget({ sessionCommand }: LcmCommands): void {
  sessionCommand('forget', 'Deletes the content of messages for good; no other command loses anything.')
    .addArgument(new Argument('<range>', 'a message such as m12, or a range such as m12-m40'))
    .requiredOption('--reason <text>', 'the reason; it stays in place of the messages')
    .option('--yes', 'do not ask')
    .action(
      run(async (range: string, flags: ForgetFlags) =>
        (await import('../lcm/forget.ts')).forget(range, flags),
      ),
    )
}

/** Not one principal, or one session of it. */
function allPrincipals(): Option {
  return new Option('--all-principals', 'of all principals').conflicts(['principal', 'session'])
}

const LCM_EXAMPLES = `
Examples:
  $ palimpsest lcm import sessions/ --store sessions.db
  $ palimpsest lcm grep "api key" --store sessions.db --all
  $ palimpsest lcm grep 'E[A-Z]+: .*config' --mode regex --role tool --context 2 --store sessions.db
  $ palimpsest lcm expand m57 --store sessions.db --session ledger
  $ palimpsest lcm context --at m57 --store sessions.db
  $ palimpsest lcm verify --store sessions.db
  $ palimpsest lcm export --store sessions.db > sessions.jsonl
  $ palimpsest lcm sessions --store postgres://me@db.example.org/agents

A message is m57, a summary s3. The store is a file or the address of a PostgreSQL database; --store may be left out
when config.yaml has "store: <file or address>" in the block "lcm:", or "url: <address>" in the block "store:", or when
PALIMPSEST_STORE_URL is set.
The frontier is the list of summaries that stand for older messages; each compaction makes a new version of it.
A principal is the owner of a session, a user or a tenant; without --principal it is the configuration's, or local.
Exit codes: 0 all well, 1 verify found a fault, 2 the call, the file or the store was wrong, 130 the answer to forget was no.`

export const IMPORT_EXAMPLES = `
Examples:
  $ palimpsest lcm import session.jsonl --store sessions.db
  $ palimpsest lcm import ~/.pi/agent/sessions/project --store sessions.db
  $ palimpsest lcm import backup.jsonl --store sessions.db          (written by palimpsest lcm export)
  $ palimpsest lcm export --all-principals --store old.db | palimpsest lcm import - --store postgres://me@db.example.org/agents

A recording with no message in common with the stored session of its name is refused: give it a name with --session.
Formats, detected from the content: pi, Claude Code, Codex, opencode, messages of OpenAI or Anthropic as JSON or JSONL.`
