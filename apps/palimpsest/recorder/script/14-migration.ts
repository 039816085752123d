import { act, code, type Episode, edit, read, run, say, search, shows, user, write } from '../steps.ts'

/** The journal's entries move to the database; the spoiled ones need a decision. */
export const migration: Episode = [
  user(`
    Then get it across. Rehearse on the journal that your two writers have spoiled, not on the real one. I want
    to see it fail before it succeeds.
  `),
  act(
    `
    A one-off script, so it goes to \`scripts/\`. The database needs a way to take entries that have an id
    already; I keep that out of \`Store\`, because nothing above should ever bring its own ids.
    `,
    read('src/store/sqlite-store.ts', 36, 80),
    edit(
      'src/store/sqlite-store.ts',
      code`
  return {
    add(drafts) {
      db.exec('BEGIN IMMEDIATE')
      try {
        const added = drafts.map((draft) => {
          const { office, postedAt, amount, currency, vendor, category, note } = draft
          const [reverses, source] = [draft.reverses ?? null, draft.source ?? null]
          const row = insert.run(office, postedAt, amount, currency, vendor, category, note, reverses, source)
          return { id: formatId(Number(row.lastInsertRowid)), ...draft }
        })
        db.exec('COMMIT')
        return added
      } catch (error) {
        db.exec('ROLLBACK')
        throw error
      }
    },
`,
      code`
  function insertOne(sequence: number | null, draft: Draft): Entry {
    const { office, postedAt, amount, currency, vendor, category, note } = draft
    const [reverses, source] = [draft.reverses ?? null, draft.source ?? null]
    const row = insert.run(sequence, office, postedAt, amount, currency, vendor, category, note, reverses, source)
    return { ...draft, id: formatId(Number(row.lastInsertRowid)) }
  }

  function transaction<T>(work: () => T): T {
    db.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      db.exec('COMMIT')
      return result
    } catch (error) {
      db.exec('ROLLBACK')
      throw error
    }
  }

  return {
    add: (drafts) => transaction(() => drafts.map((draft) => insertOne(null, draft))),
    restore: (entries) => transaction(() => void entries.map((entry) => insertOne(sequenceOf(entry.id), entry))),
`,
    ),
    edit(
      'src/store/sqlite-store.ts',
      code`
  const insert = db.prepare(\`INSERT INTO entries (\${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)\`)`,
      code`
  // Without a sequence, SQLite takes the next one.
  const insert = db.prepare(\`INSERT INTO entries (sequence, \${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)\`)`,
    ),
    edit(
      'src/store/sqlite-store.ts',
      code`
/** Keeps entries in a SQLite file that several processes may write to. */
export function openSqliteStore(path: string): Store {`,
      code`
export interface SqliteStore extends Store {
  /** Brings in entries that have their ids already; all of them or none. */
  restore(entries: readonly Entry[]): void
}

/** Keeps entries in a SQLite file that several processes may write to. */
export function openSqliteStore(path: string): SqliteStore {`,
    ),
  ),
  act(
    null,
    edit(
      'src/store/sqlite-store.ts',
      "import type { Entry } from '../entry.ts'",
      "import type { Draft, Entry } from '../entry.ts'",
    ),
    write(
      'scripts/migrate-journal.ts',
      code`
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '../src/entry.ts'
import { openSqliteStore } from '../src/store/sqlite-store.ts'

/** Carries the journal of a data folder over to its database. */
const folder = process.argv[2] ?? './data'
const lines = readFileSync(join(folder, 'journal.jsonl'), 'utf8').trimEnd().split('\n')
const store = openSqliteStore(join(folder, 'tally.db'))
store.restore(lines.map((line) => JSON.parse(line) as Entry))
console.log(\`\${store.all().length} of \${lines.length} entries are in the database\`)
store.close()
`,
    ),
    shows(run('node --test test/store.test.ts'), 'fail 0'),
    shows(
      run('node scripts/migrate-journal.ts tmp/two-writers', 1),
      'UNIQUE constraint failed: entries.sequence',
    ),
  ),
  act(
    `
    It fails as it should: \`UNIQUE constraint failed: entries.sequence\`. And "all or none", did that hold?
    `,
    shows(
      run(
        `node --input-type=module -e 'import { openSqliteStore } from "./src/store/sqlite-store.ts"; console.log(openSqliteStore("tmp/two-writers/tally.db").all().length, "entries in the database")'`,
      ),
      '0 entries in the database',
    ),
    search('E-00035[56]', 'tmp/two-writers/journal.jsonl'),
  ),
  say(`
    It failed before it succeeded. The database refused the second E-000355 and kept nothing, zero entries.

    Now your decision: two payments with one id, and both are real. One of the two needs a new id, although ids
    stand in people's spreadsheets (rule 6). I can keep the id for the earlier line of the journal, give the
    later one the next free number and write the old id into its note. The other way round is the same work.
  `),
  user(`
    The later one gets a new number, with "was E-000355" in its note, and the script prints which ones, so that
    I can tell the accountants. Reversals that name a double id stay as they are.
  `),
  act(
    'The rule deserves a test, so it becomes a function of its own.',
    write(
      'src/renumber.ts',
      code`
import type { Entry } from './entry.ts'
import { formatId, sequenceOf } from './ids.ts'

export interface Renumbered {
  readonly entries: readonly Entry[]
  readonly changes: readonly { readonly was: string; readonly is: string; readonly vendor: string }[]
}

/** Of entries that share an id the first keeps it; each later one gets the next free id and says so in its note. */
export function renumberDoubles(entries: readonly Entry[]): Renumbered {
  let last = Math.max(0, ...entries.map((entry) => sequenceOf(entry.id)))
  const seen = new Set<string>()
  const changes: { was: string; is: string; vendor: string }[] = []
  const renumbered = entries.map((entry) => {
    if (!seen.has(entry.id)) {
      seen.add(entry.id)
      return entry
    }
    last += 1
    const id = formatId(last)
    changes.push({ was: entry.id, is: id, vendor: entry.vendor })
    return { ...entry, id, note: [entry.note, \`was \${entry.id}\`].filter(Boolean).join('; ') }
  })
  return { entries: renumbered, changes }
}
`,
    ),
    write(
      'test/renumber.test.ts',
      code`
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { renumberDoubles } from '../src/renumber.ts'
import { lunch } from './helpers.ts'

const entry = (id: string, vendor: string, note = '') => ({ id, ...lunch({ vendor, note }) })

it('gives the later one of two equal ids the next free number', () => {
  const { entries, changes } = renumberDoubles([
    entry('E-000001', 'first'),
    entry('E-000002', 'service'),
    entry('E-000002', 'nightly', 'paid in cash'),
    entry('E-000003', 'last'),
  ])
  assert.deepEqual(entries.map(({ id, note }) => [id, note]), [
    ['E-000001', ''],
    ['E-000002', ''],
    ['E-000004', 'paid in cash; was E-000002'],
    ['E-000003', ''],
  ])
  assert.deepEqual(changes, [{ was: 'E-000002', is: 'E-000004', vendor: 'nightly' }])
})

it('changes nothing when every id is there once', () => {
  const entries = [entry('E-000007', 'a'), entry('E-000009', 'b')]
  assert.deepEqual(renumberDoubles(entries), { entries, changes: [] })
})
`,
    ),
    edit(
      'scripts/migrate-journal.ts',
      'store.restore(lines.map((line) => JSON.parse(line) as Entry))\n',
      code`
const { entries, changes } = renumberDoubles(lines.map((line) => JSON.parse(line) as Entry))
store.restore(entries)
for (const { was, is, vendor } of changes) console.log(\`\${was} is now \${is}: \${vendor}\`)
`,
    ),
    edit(
      'scripts/migrate-journal.ts',
      "import { openSqliteStore } from '../src/store/sqlite-store.ts'",
      "import { renumberDoubles } from '../src/renumber.ts'\nimport { openSqliteStore } from '../src/store/sqlite-store.ts'",
    ),
  ),
  act(
    null,
    shows(run('node --test test/renumber.test.ts'), 'fail 0'),
    shows(
      run('node scripts/migrate-journal.ts tmp/two-writers'),
      'E-000355 is now E-000357: nightly 1',
      '358 of 358',
    ),
  ),
  say(`
    The rehearsal is through: 358 of 358 entries, two of them renumbered, E-000355 → E-000357 and E-000356 →
    E-000358, both of the nightly run. Shall I do the real one and plug the database in?
  `),
  user('Go.'),
  act(
    null,
    shows(run('node scripts/migrate-journal.ts data'), '354 of 354'),
    edit(
      'src/cli.ts',
      "openJournalStore(join(readConfig(process.env).dataDir, 'journal.jsonl'))",
      "openSqliteStore(join(readConfig(process.env).dataDir, 'tally.db'))",
    ),
    edit(
      'src/cli.ts',
      "import { openJournalStore } from './store/journal-store.ts'",
      "import { openSqliteStore } from './store/sqlite-store.ts'",
    ),
    edit(
      'src/http/server.ts',
      "openJournalStore(join(config.dataDir, 'journal.jsonl'))",
      "openSqliteStore(join(config.dataDir, 'tally.db'))",
    ),
  ),
  act(
    null,
    edit(
      'src/http/server.ts',
      "import { openJournalStore } from '../store/journal-store.ts'",
      "import { openSqliteStore } from '../store/sqlite-store.ts'",
    ),
    shows(run('node src/cli.ts report --office tokyo --month 2026-03'), '¥699,659'),
    shows(run('node src/cli.ts report --office lisbon --month 2026-03'), '€6,353.26'),
    shows(run('node --test --test-isolation=none', 1), 'fail 7'),
  ),
  say(`
    The real migration: 354 of 354, none renumbered. The totals are the ones from the journal, ¥699,659 and
    €6,353.26.

    The whole suite has 7 failures: T-17, as always, and all 6 tests of the journal store. The journal store
    still speaks the old interface (\`append\`, \`lastId\`), and nothing uses it any more. I would delete it
    with its tests, and the two scripts that exist only to break it. For those who do want an editor, a \`tally
    export\` that prints JSONL would be ten lines.
  `),
  user('Delete it. Yes to the export, to standard output.'),
  act(
    null,
    run(
      `node -e 'for (const path of ["src/store/journal-store.ts", "test/journal-store.test.ts", "scripts/two-writers.ts", "scripts/tear-journal.ts"]) { fs.rmSync(path); console.log("deleted", path) }'`,
    ),
    edit('src/errors.ts', "  | 'bad-journal'\n", ''),
    write(
      'src/commands/export.ts',
      code`
import type { Command } from './command.ts'

/** Every entry of an office as one JSON object a line. */
export const exportCommand: Command = ({ ledger, office, print }) => {
  for (const entry of ledger.list({ office: office.id })) print(JSON.stringify(entry))
  return 0
}
`,
    ),
    edit(
      'src/commands/index.ts',
      "  ['list', listCommand],",
      "  ['export', exportCommand],\n  ['list', listCommand],",
    ),
  ),
  act(
    null,
    edit(
      'src/commands/index.ts',
      "import { importCommand } from './import.ts'",
      "import { exportCommand } from './export.ts'\nimport { importCommand } from './import.ts'",
    ),
    shows(run('node --test test/cli.test.ts'), 'fail 0'),
  ),
  act(
    `
    The journal is gone. Is anything left that speaks of it, and does the export give what the file gave?
    `,
    search('journal', '.'),
    shows(run('node src/cli.ts export --office tokyo'), 'E-000173'),
    edit(
      'docs/known-problems.md',
      'Entries live in `data/journal.jsonl`.',
      'Entries live in `data/tally.db` (SQLite; until April in a journal).',
    ),
    shows(
      run(
        'node --test test/store.test.ts test/ledger.test.ts test/importer.test.ts test/api-v1.test.ts test/server.test.ts',
      ),
      'fail 0',
    ),
  ),
  say(`
    The switch is complete: SQLite holds the data, the journal store is deleted, \`tally export\` prints an
    office as JSONL. What still says "journal" is the migration script, which you need once on the server, and a
    pragma of SQLite that happens to use the word.
  `),
]
