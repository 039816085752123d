import { Command, Option } from 'commander'
import type { ScopeFlags } from '../decisions/choose-scope.ts'
import type { ExportFlags } from '../decisions/export-flags.ts'
import type { ListFlags } from '../decisions/list.ts'
import type { VerifyFlags } from '../decisions/verify.ts'
import type { StoreFlags } from '../decisions/with-store.ts'
import { createStoreCommands, parseName, run } from './shared-options.ts'

const EXAMPLES = `
Examples:
  $ palimpsest decisions list --store decisions.db
  $ palimpsest decisions show d1a2b3c4 --store decisions.db
  $ palimpsest decisions export --store decisions.db --project shop --format madr --out docs/decisions
  $ palimpsest decisions import docs/decisions --store decisions.db --project shop
  $ palimpsest decisions export --store decisions.db --project shop > shop.json
  $ palimpsest decisions import shop.json --store other.db
  $ palimpsest decisions verify --store decisions.db

A decision holds in a project, in all of its sessions, or in one session only. The store is a file, or a
PostgreSQL database: postgres://user:password@host:5432/database. --store may be left out when config.yaml names it, as
"store:" in the block "decisions:" or as "url:" in the block "store:", or when PALIMPSEST_STORE_URL is set. The beginning
of an id is enough.
A principal is the owner of decisions, a user or a tenant; without --principal it is the configuration's, or local.
Exit codes: 0 all well, 1 verify found a fault or copy a difference, 2 the call, a file or the store was wrong.`

const IMPORT_EXAMPLES = `
Examples:
  $ palimpsest decisions import shop.json --store decisions.db            (written by palimpsest decisions export)
  $ palimpsest decisions import shop.json --store decisions.db --project shop-2
  $ palimpsest decisions import docs/adr --store decisions.db --project shop
  $ palimpsest decisions import 0012-use-redis.md --store decisions.db --project shop

Records may be MADR of any version, with front matter or a list below the title, or in the style of Nygard. An accepted
record counts as stated. A second import adds only new records; an edited file replaces its earlier decision.`

const COPY_EXAMPLES = `
Examples:
  $ palimpsest decisions copy decisions.db postgres://user:password@host:5432/database

Run a stopped copy again, and it goes on. Nothing is lost that only one of the two stores has.`

/** `palimpsest decisions …`: the commands on a store of decisions. Nothing of it is loaded before one runs. */
export function decisionsCommand(): Command {
  const decisions = new Command('decisions')
    .description('Lists, explains, proves, exports and imports decisions.')
    .addHelpText('after', EXAMPLES)

  const { ownedCommand, copyCommand } = createStoreCommands({
    parent: decisions,
    block: 'decisions',
    content: 'decisions',
  })
  const scopedCommand = (name: string, description: string, otherwise: string) =>
    ownedCommand(name, description)
      .addOption(
        new Option('--project <name>', `decisions of this project (default: ${otherwise})`)
          .argParser(parseName)
          .conflicts('session'),
      )
      .option('--session <id>', 'decisions of this session only', parseName)

  scopedCommand('list', 'The decisions that hold now.', 'all')
    .option('--all', 'also decisions that are over, proposals, and earlier conversations of a session')
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

  addExchange(scopedCommand)

  ownedCommand('verify', 'Proves that every event matches its id, and that its quotes were said.')
    .option('--session <id>', 'only events read in this session (default: all sessions)', parseName)
    .action(run(async (flags: VerifyFlags) => (await import('../decisions/verify.ts')).verify(flags)))

  ownedCommand('sessions', 'The sessions and files that decisions were read from.').action(
    run(async (flags: StoreFlags) => (await import('../decisions/sessions.ts')).sessions(flags)),
  )

  copyCommand(
    'Copies everything of one store into another, and compares both. Existing sessions are continued or left as they are.',
    'only the data of this user or tenant (default: all)',
  )
    .addHelpText('after', COPY_EXAMPLES)
    .action(
      run(async (from: string, to: string, flags: Omit<StoreFlags, 'store'>) =>
        (await import('../decisions/copy.ts')).copy(from, to, flags),
      ),
    )

  return decisions
}

type ScopedCommand = (name: string, description: string, otherwise: string) => Command

function addExchange(scopedCommand: ScopedCommand): void {
  scopedCommand(
    'export',
    'Writes the whole log of a project or session as JSON, or its decisions as records (MADR).',
    'the only one of the store',
  )
    .addOption(
      new Option('--format <format>', 'the log as JSON, or a folder of records')
        .choices(['json', 'madr'])
        .default('json'),
    )
    .option('--out <path>', 'the file (default: standard output), or the folder for records')
    .option('--all', 'records also of settings and of proposals')
    .option('--force', 'replace existing files, whoever wrote them')
    .action(
      run(async (flags: ExportFlags) => (await import('../decisions/export-scope.ts')).exportScope(flags)),
    )

  scopedCommand(
    'import',
    'Imports the output of "export", or records written by hand (MADR, Nygard).',
    "an export's own",
  )
    .argument('<path>', 'an export, a record, a folder of records, or - for standard input')
    .addHelpText('after', IMPORT_EXAMPLES)
    .action(
      run(async (path: string, flags: ScopeFlags) =>
        (await import('../decisions/import-into.ts')).importInto(path, flags),
      ),
    )
}
