import { Command, Option } from 'commander'
import type { ScopeFlags } from '../decisions/choose-scope.ts'
import type { ListFlags } from '../decisions/list.ts'
import { ownedCommand, parseName, run } from './shared-options.ts'

const EXAMPLES = `
Examples:
  $ palimpsest decisions list --store sessions.db
  $ palimpsest decisions show d1a2b3c4 --store sessions.db
  $ palimpsest decisions export --store sessions.db --project shop > decisions.md

A decision holds in a project, in all of its sessions, or in one session only. The store is a file, or a PostgreSQL database:
postgres://user:password@host:5432/database. --store may be left out when PALIMPSEST_STORE_URL is set, or config.yaml has
"url: <file or address>" in the block "store:". The beginning of an id is enough.
palimpsest store verify proves the store. Exit codes: 0 all well, 2 the call, a file or the store was wrong.`

export function decisionsCommand(): Command {
  const decisions = new Command('decisions')
    .description('Lists, explains and exports decisions, which a model reads in conversations.')
    .addHelpText('after', EXAMPLES)

  const scopedCommand = (name: string, description: string, otherwise: string) =>
    ownedCommand(decisions, name, description)
      .addOption(
        new Option('--project <name>', `decisions of this project (default: ${otherwise})`)
          .argParser(parseName)
          .conflicts('session'),
      )
      .option('--session <id>', 'decisions of this session only', parseName)

  scopedCommand('list', 'The decisions that hold now.', 'all')
    .option('--all', 'also decisions that are over, and proposals')
    .action(run(async (flags: ListFlags) => (await import('../decisions/list.ts')).list(flags)))

  scopedCommand(
    'show',
    'One decision: its speaker, place and reason, and the decisions that it replaced.',
    'all',
  )
    .argument('<id>', 'its id, such as d1a2b3c4d5e6, or the beginning of it')
    .action(
      run(async (id: string, flags: ScopeFlags) => (await import('../decisions/show.ts')).show(id, flags)),
    )

  scopedCommand(
    'export',
    'Writes the decisions of a project or session as a Markdown document.',
    'the only one of the store',
  ).action(run(async (flags: ScopeFlags) => (await import('../decisions/export.ts')).exportMarkdown(flags)))

  return decisions
}
