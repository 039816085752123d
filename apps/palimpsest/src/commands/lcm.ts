import { Argument, Command, Option } from 'commander'
import type { ContextFlags } from '../lcm/context.ts'
import type { ExpandFlags } from '../lcm/expand.ts'
import type { ForgetFlags } from '../lcm/forget.ts'
import type { GrepFlags } from '../lcm/grep.ts'
import { parseContext } from '../parse-numbers.ts'
import type { StoreFlags } from '../stores/with-store.ts'
import { ownedCommand, parsePositive, ROLES, repeatable, run } from './shared-options.ts'

export function lcmCommand(): Command {
  const lcm = new Command('lcm')
    .description('Searches and reads the conversations of a store, and deletes from them.')
    .addHelpText('after', LCM_EXAMPLES)
  const sessionCommand: AddCommand = (name, description) =>
    ownedCommand(lcm, name, description).option(
      '--session <id>',
      'the session (default: the only one of the store)',
    )
  addGrep(sessionCommand)
  addReading(sessionCommand)
  ownedCommand(lcm, 'sessions', 'The sessions of a principal.').action(
    run(async (flags: StoreFlags) => (await import('../lcm/sessions.ts')).sessions(flags)),
  )
  addForget(sessionCommand)
  return lcm
}

type AddCommand = (name: string, description: string) => Command

function addGrep(sessionCommand: AddCommand): void {
  sessionCommand('grep', 'Searches texts, tool calls with their arguments, and tool results.')
    .argument('<query>', 'words or a question; foo* for a beginning, "a phrase" for exactly that; see --mode')
    .addOption(
      new Option('--mode <mode>', 'how the query is read')
        .choices(['text', 'substring', 'regex'])
        .default('text'),
    )
    .addOption(repeatable(new Option('--role <role>', 'only this role; may be given several times'), ROLES))
    .option(
      '--since <time>',
      'only from this date on, such as 2026-01-31: the one that a message begins with, else its time',
    )
    .option('--before <time>', 'only before this date')
    .addOption(
      new Option('--scope <scope>', 'where to look')
        .choices(['messages', 'summaries', 'both'])
        .default('messages'),
    )
    .addOption(
      new Option(
        '--order <order>',
        'which hits come first: with relevance, messages with some of the words; with the others, only those with all (default: relevance)',
      ).choices(['newest', 'oldest', 'relevance']),
    )
    .option('--limit <hits>', 'hits at most', parsePositive, 10)
    .option('--context <messages>', 'messages to show around each hit, up to 10', parseContext)
    .option('--all', 'search all sessions of the principal')
    .option('--replaced', 'also messages that an edit of the history replaced')
    .action(
      run(async (query: string, flags: GrepFlags) => (await import('../lcm/grep.ts')).grep(query, flags)),
    )
}

function addReading(sessionCommand: AddCommand): void {
  sessionCommand('expand', 'A whole message, several, or the sources of a summary.')
    .argument('<id>', 'a message such as m57, a range such as m57-m63, or a summary such as s3')
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
}

function addForget(sessionCommand: AddCommand): void {
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

const LCM_EXAMPLES = `
Examples:
  $ palimpsest lcm sessions --store sessions.db
  $ palimpsest lcm grep "api key" --store sessions.db --all
  $ palimpsest lcm grep 'E[A-Z]+: .*config' --mode regex --role tool --context 2 --store sessions.db
  $ palimpsest lcm expand m57-m63 --store sessions.db --session ledger
  $ palimpsest lcm context --at m57 --store sessions.db
  $ palimpsest lcm sessions --store postgres://me@db.example.org/agents

A message is m57, a summary s3. The store is a file or the address of a PostgreSQL database; --store may be left out
when PALIMPSEST_STORE_URL is set, or config.yaml has "url: <file or address>" in the block "store:".
The frontier is the list of summaries that cover older messages; each compaction makes a new version of it.
Exit codes: 0 all well, 2 the call or the store was wrong, 130 the answer to forget was no.`
