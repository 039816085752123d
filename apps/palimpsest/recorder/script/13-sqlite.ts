import { act, code, type Episode, edit, read, run, say, search, shows, user, write } from '../steps.ts'

/** The decision of the third episode is changed, with reasons, and the new store has its own two surprises. */
export const sqlite: Episode = [
  user(`
    Then I change the decision. We switch from the JSONL journal to SQLite, node:sqlite, file data/tally.db. My
    reasons: two writers are a fact now and will not go away, ids have to come out of a transaction, and the
    auditors want to run queries. The argument with the editor is gone, finance has not opened the journal once
    in three weeks. Postgres stays out for the same reason as before.

    Entry ids stay E- and six digits. Busy timeout 5000 ms, WAL. Amounts are INTEGER columns, rule 1 holds in
    the database too.
  `),
  act(
    `
    Understood: SQLite instead of the journal, from here on. Before I write: the interface has to change a
    little. Today the *ledger* makes ids and the store swallows them. An id that comes out of a transaction has
    to be made by the store. Who depends on that?
    `,
    search('append|lastId|createIdSequence', '.'),
    read('src/ledger.ts', 1, 50),
    read('test/importer.test.ts', 68, 92),
  ),
  act(
    `
    \`append(entries)\` becomes \`add(drafts)\` and returns the entries; \`lastId\` goes. Interface, memory
    store and ledger in one step.
    `,
    write(
      'src/store/store.ts',
      code`
import type { Draft, Entry } from '../entry.ts'

/** Where entries are kept. Everything above this line asks only for these members. */
export interface Store {
  /** Gives each draft the next id and keeps it; all of them or none. */
  add(drafts: readonly Draft[]): readonly Entry[]
  get(id: string): Entry | undefined
  /** Every entry in the order in which it was added. */
  all(): readonly Entry[]
  close(): void
}
`,
    ),
    write(
      'src/store/memory-store.ts',
      code`
import type { Entry } from '../entry.ts'
import { createIdSequence } from '../ids.ts'
import type { Store } from './store.ts'

/** Keeps entries until the process ends. */
export function createMemoryStore(): Store {
  const entries: Entry[] = []
  const byId = new Map<string, Entry>()
  const ids = createIdSequence()
  return {
    add(drafts) {
      const added = drafts.map((draft) => ({ id: ids.next(), ...draft }))
      for (const entry of added) {
        entries.push(entry)
        byId.set(entry.id, entry)
      }
      return added
    },
    get: (id) => byId.get(id),
    all: () => entries,
    close() {},
  }
}
`,
    ),
    edit(
      'src/ledger.ts',
      code`
    const entries = drafts.map((draft) => ({ id: ids.next(), ...validateDraft(draft) }))
    store.append(entries)
    return entries
`,
      code`
    return store.add(drafts.map(validateDraft))
`,
    ),
    edit(
      'src/ledger.ts',
      code`
  const last = store.lastId()
  const ids = createIdSequence(last === undefined ? 0 : sequenceOf(last))
`,
      '',
    ),
  ),
  act(
    null,
    edit('src/ledger.ts', "import { createIdSequence, sequenceOf } from './ids.ts'\n", ''),
    edit(
      'test/importer.test.ts',
      'const counting = { ...store, append: (entries: readonly Entry[]) => (sizes.push(entries.length), store.append(entries)) }',
      'const counting = { ...store, add: (drafts: readonly Draft[]) => (sizes.push(drafts.length), store.add(drafts)) }',
    ),
    edit(
      'test/importer.test.ts',
      "import type { Entry } from '../src/entry.ts'",
      "import type { Draft } from '../src/entry.ts'",
    ),
    shows(run('node --test test/importer.test.ts test/ledger.test.ts'), 'fail 0'),
  ),
  act(
    `
    Now the store itself, and one set of tests that every store has to pass. The set is a function, so that
    memory and SQLite cannot drift apart.
    `,
    write(
      'src/store/sqlite-store.ts',
      code`
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Entry } from '../entry.ts'
import { formatId, sequenceOf } from '../ids.ts'
import type { Store } from './store.ts'

/** Milliseconds to wait for the other writer. */
const BUSY_TIMEOUT = 5_000

const SCHEMA = \`
  CREATE TABLE IF NOT EXISTS entries (
    sequence  INTEGER PRIMARY KEY,
    office    TEXT NOT NULL,
    posted_at TEXT NOT NULL,
    amount    INTEGER NOT NULL,
    currency  TEXT NOT NULL,
    vendor    TEXT NOT NULL,
    category  TEXT NOT NULL,
    note      TEXT NOT NULL,
    reverses  TEXT,
    source    TEXT UNIQUE
  ) STRICT\`

const COLUMNS = 'office, posted_at, amount, currency, vendor, category, note, reverses, source'

const SELECT = \`SELECT printf('E-%06d', sequence) AS id, office, posted_at AS postedAt, amount, currency, vendor,
  category, note, reverses, source FROM entries\`

/** Keeps entries in a SQLite file that several processes may write to. */
export function openSqliteStore(path: string): Store {
  mkdirSync(dirname(path), { recursive: true })
  const db = new DatabaseSync(path)
  db.exec(\`PRAGMA busy_timeout = \${BUSY_TIMEOUT}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL\`)
  db.exec(SCHEMA)
  const insert = db.prepare(\`INSERT INTO entries (\${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)\`)
  const selectOne = db.prepare(\`\${SELECT} WHERE sequence = ?\`)
  const selectAll = db.prepare(\`\${SELECT} ORDER BY sequence\`)

  return {
    add(drafts) {
      db.exec('BEGIN IMMEDIATE')
      try {
        const added = drafts.map((draft) => {
          const { office, postedAt, amount, currency, vendor, category, note, reverses, source } = draft
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
    get: (id) => selectOne.get(sequenceOf(id)) as Entry | undefined,
    all: () => selectAll.all() as unknown as Entry[],
    close() {
      db.close()
    },
  }
}
`,
    ),
    write(
      'test/store.test.ts',
      code`
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { createMemoryStore } from '../src/store/memory-store.ts'
import { openSqliteStore } from '../src/store/sqlite-store.ts'
import type { Store } from '../src/store/store.ts'
import { lunch } from './helpers.ts'

const folder = mkdtempSync(join(tmpdir(), 'tally-'))
let files = 0
const newPath = () => join(folder, \`\${(files += 1)}.db\`)

after(() => rmSync(folder, { recursive: true }))

function behavesAsAStore(name: string, open: () => Store) {
  describe(name, () => {
    it('gives each draft the next id', () => {
      const store = open()
      assert.deepEqual(store.add([lunch(), lunch()]).map((entry) => entry.id), ['E-000001', 'E-000002'])
      assert.deepEqual(store.add([lunch()]).map((entry) => entry.id), ['E-000003'])
      store.close()
    })

    it('gives back what was added', () => {
      const store = open()
      const added = store.add([lunch({ note: 'a "note"', source: 'row 1' }), lunch({ amount: -980, reverses: 'E-000001' })])
      assert.deepEqual(store.all(), added)
      assert.deepEqual(store.get('E-000002'), added[1])
      store.close()
    })

    it('knows nothing of an id that was never given', () => {
      const store = open()
      assert.equal(store.get('E-000009'), undefined)
      store.close()
    })
  })
}

behavesAsAStore('memory store', createMemoryStore)
behavesAsAStore('sqlite store', () => openSqliteStore(newPath()))

describe('two processes on one SQLite file', () => {
  it('never get the same id, and see what the other one wrote', () => {
    const path = newPath()
    const service = openSqliteStore(path)
    const nightly = openSqliteStore(path)
    const ids = [service, nightly, service, nightly].flatMap((store) => store.add([lunch()])).map((entry) => entry.id)
    assert.deepEqual(ids, ['E-000001', 'E-000002', 'E-000003', 'E-000004'])
    assert.equal(service.get('E-000004')?.id, 'E-000004')
    service.close()
    nightly.close()
  })
})
`,
    ),
    shows(run('node --test test/store.test.ts', 1), 'cannot be bound to SQLite parameter', 'fail 3'),
  ),
  act(
    `
    Memory passes, SQLite does not: \`undefined\` cannot be bound. An entry without \`reverses\` has no such
    key; the database wants \`NULL\`. In at the border, and out again at the border.
    `,
    edit(
      'src/store/sqlite-store.ts',
      code`
          const { office, postedAt, amount, currency, vendor, category, note, reverses, source } = draft
          const row = insert.run(office, postedAt, amount, currency, vendor, category, note, reverses, source)`,
      code`
          const { office, postedAt, amount, currency, vendor, category, note } = draft
          const [reverses, source] = [draft.reverses ?? null, draft.source ?? null]
          const row = insert.run(office, postedAt, amount, currency, vendor, category, note, reverses, source)`,
    ),
    shows(run('node --test test/store.test.ts', 1), 'gives back what was added', 'fail 1', 'null prototype'),
  ),
  act(
    `
    From three to one. What comes back is not what went in: rows of node:sqlite have no prototype, and absent
    fields come back as \`null\`. \`/v1\` answers \`reverses ?? null\` and would not notice, but the next one
    who asks \`reverses !== undefined\` would take every entry for a reversal. A real mapping instead of the
    cast, then. I should not have written the cast in the first place.
    `,
    edit(
      'src/store/sqlite-store.ts',
      code`
    get: (id) => selectOne.get(sequenceOf(id)) as Entry | undefined,
    all: () => selectAll.all() as unknown as Entry[],`,
      code`
    get(id) {
      const row = selectOne.get(sequenceOf(id))
      return row === undefined ? undefined : toEntry(row as unknown as Row)
    },
    all: () => selectAll.all().map((row) => toEntry(row as unknown as Row)),`,
    ),
    edit(
      'src/store/sqlite-store.ts',
      code`
/** Keeps entries in a SQLite file`,
      code`
/** A row as \`SELECT\` names its columns. */
type Row = Omit<Entry, 'reverses' | 'source'> & { readonly reverses: string | null; readonly source: string | null }

/** Rows of node:sqlite have no prototype and say \`null\` for what an entry leaves out. */
function toEntry({ reverses, source, ...row }: Row): Entry {
  return { ...row, ...(reverses === null ? {} : { reverses }), ...(source === null ? {} : { source }) }
}

/** Keeps entries in a SQLite file`,
    ),
    shows(run('node --test test/store.test.ts'), 'fail 0', 'never get the same id'),
  ),
  say(`
    The SQLite store passes the same set as the memory store, and two connections on one file get four different
    ids and see each other's entries. \`source\` is \`UNIQUE\` in the table, so even two imports at the same
    second cannot book a row twice. The table is \`STRICT\`: a 12.5 in \`amount\` is refused by the database as
    well.

    It is not plugged in yet. The journal still holds the data, and it has to get across first.
  `),
]
