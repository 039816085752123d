import { act, code, type Episode, edit, fails, read, run, say, search, shows, user, write } from '../steps.ts'

/** The first decision: entries are kept in a JSONL journal. */
export const aStoreThatStays: Episode = [
  user(`
    Next is T-21: entries must survive a restart. I see three ways: a Postgres, SQLite through node:sqlite, or a
    plain JSONL file that is only appended to. One small server, one process, about 350 entries a month and
    office. What would you take?
  `),
  act(
    'Facts before an opinion: what does this Node bring, and who touches the store at all?',
    shows(run('node -p process.versions.sqlite'), '3.'),
    search('createMemoryStore|store\\.(append|get|all|lastId|close)', 'src'),
    fails(read('src/store/file-store.ts')),
  ),
  say(`
    I looked for an unfinished file store of my predecessor; there is none. \`Store\` is only used by
    \`ledger.ts\`, and created in two places (\`cli.ts\`, \`server.ts\`), so all three options cost about the
    same to plug in.

    | | Postgres | SQLite (node:sqlite) | JSONL journal |
    |---|---|---|---|
    | rule 4, no dependencies | needs a driver and a server | in Node | in Node |
    | who runs it | nobody here | nobody has to | nobody has to |
    | several writers | yes | yes, with locking | no |
    | readable without tools | no | no | any editor |
    | backup | dump | copy while it is quiet | rsync, diff shows what was added |
    | load at 10,000 entries | – | only what is asked for | about 2 MB, read at start |

    Postgres is out by rule 4. Between the other two I lean to SQLite, because a second writer is the kind of
    thing that happens. With one process for certain, the journal is the simpler machine. Your call.
  `),
  user(`
    Decision: the JSONL journal, data/journal.jsonl. Not Postgres: nobody here can run one. Not SQLite: a binary
    file that we cannot diff, and the finance team wants to open the ledger in an editor. There is one process
    and I do not plan a second. Keep it behind Store, so that we can change our minds. An entry counts as booked
    when it is on disk, not when it is in a buffer.
  `),
  act(
    `
    Clear. "On disk" means \`fsync\` before \`append\` returns. One write for the whole batch, so that "all or
    none" stays true as far as a file can keep that promise.
    `,
    write(
      'src/store/journal-store.ts',
      code`
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Entry } from '../entry.ts'
import type { Store } from './store.ts'

/** Keeps entries in a file, one JSON object a line. The file is only ever appended to. */
export function openJournalStore(path: string): Store {
  mkdirSync(dirname(path), { recursive: true })
  const entries = existsSync(path) ? readJournal(path) : []
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const file = openSync(path, 'a')
  return {
    append(added) {
      writeSync(file, added.map((entry) => \`\${JSON.stringify(entry)}\n\`).join(''))
      // An entry is booked when it is on disk, not when it is in a buffer.
      fsyncSync(file)
      for (const entry of added) {
        entries.push(entry)
        byId.set(entry.id, entry)
      }
    },
    get: (id) => byId.get(id),
    all: () => entries,
    lastId: () => entries.at(-1)?.id,
    close() {
      closeSync(file)
    },
  }
}

function readJournal(path: string): Entry[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Entry)
}
`,
    ),
    write(
      'test/journal-store.test.ts',
      code`
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createLedger } from '../src/ledger.ts'
import { openJournalStore } from '../src/store/journal-store.ts'
import { clock, lunch } from './helpers.ts'

describe('journal store', () => {
  let folder: string
  let path: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tally-'))
    path = join(folder, 'data', 'journal.jsonl')
  })

  afterEach(() => rmSync(folder, { recursive: true }))

  it('writes one line for each entry', () => {
    const store = openJournalStore(path)
    createLedger({ store, clock }).postAll([lunch(), lunch({ note: 'two\nlines' })])
    store.close()
    assert.equal(readFileSync(path, 'utf8').split('\n').length, 3)
  })

  it('has the same entries after a restart', () => {
    const before = openJournalStore(path)
    createLedger({ store: before, clock }).postAll([lunch(), lunch({ vendor: 'Café Miradouro' })])
    const entries = before.all()
    before.close()
    const after = openJournalStore(path)
    assert.deepEqual(after.all(), entries)
    assert.equal(after.get('E-000002')?.vendor, 'Café Miradouro')
    after.close()
  })

  it('goes on counting after a restart', () => {
    const before = openJournalStore(path)
    createLedger({ store: before, clock }).postAll([lunch(), lunch()])
    before.close()
    const after = openJournalStore(path)
    assert.equal(createLedger({ store: after, clock }).post(lunch()).id, 'E-000003')
    after.close()
  })
})
`,
    ),
    shows(run('node --test test/journal-store.test.ts', 1), "+ 'E-000001'", 'fail 1'),
  ),
  act(
    `
    There it is, what I noted on the first read: the ledger starts its sequence at zero whatever the store
    holds. With the journal that would have booked a second E-000001 at the first restart. \`createIdSequence\`
    already takes a starting point; nobody passed one.
    `,
    edit(
      'src/ledger.ts',
      '  const ids = createIdSequence()',
      code`
  const last = store.lastId()
  const ids = createIdSequence(last === undefined ? 0 : sequenceOf(last))`,
    ),
    edit(
      'src/ledger.ts',
      "import { createIdSequence } from './ids.ts'",
      "import { createIdSequence, sequenceOf } from './ids.ts'",
    ),
    shows(run('node --test test/journal-store.test.ts test/ledger.test.ts'), 'fail 0'),
  ),
  act(
    'Green. Now the two places that create a store.',
    read('src/cli.ts', 1, 36),
    read('src/http/server.ts', 36, 46),
  ),
  act(
    null,
    edit(
      'src/cli.ts',
      '  const ledger = createLedger({ store: createMemoryStore(), clock: systemClock })',
      code`
  const store = openJournalStore(join(readConfig(process.env).dataDir, 'journal.jsonl'))
  const ledger = createLedger({ store, clock: systemClock })`,
    ),
    edit(
      'src/cli.ts',
      "import { createMemoryStore } from './store/memory-store.ts'",
      "import { openJournalStore } from './store/journal-store.ts'",
    ),
    edit(
      'src/cli.ts',
      "import { parseArgs } from 'node:util'",
      "import { join } from 'node:path'\nimport { parseArgs } from 'node:util'",
    ),
    edit(
      'src/cli.ts',
      "import { systemClock } from './clock.ts'",
      "import { systemClock } from './clock.ts'\nimport { readConfig } from './config.ts'",
    ),
  ),
  act(
    null,
    edit(
      'src/http/server.ts',
      'createLedger({ store: createMemoryStore(), clock: systemClock })',
      "createLedger({ store: openJournalStore(join(config.dataDir, 'journal.jsonl')), clock: systemClock })",
    ),
    edit(
      'src/http/server.ts',
      "import { createMemoryStore } from '../store/memory-store.ts'",
      "import { openJournalStore } from '../store/journal-store.ts'",
    ),
    edit('src/http/server.ts', "from 'node:http'\n", "from 'node:http'\nimport { join } from 'node:path'\n"),
  ),
  act(
    'Now the thing that did not work this morning: import in one process, report in the next.',
    shows(run('node src/cli.ts import --office tokyo --file fixtures/tokyo-2026-03.csv'), '173 imported'),
    shows(run('node src/cli.ts import --office lisbon --file fixtures/lisbon-2026-03.csv'), '181 imported'),
    run('node src/cli.ts report --office tokyo --month 2026-03'),
    run('node src/cli.ts report --office lisbon --month 2026-03'),
  ),
  act(
    `
    It stays. Importing again must change nothing, and I want to see the file as finance will see it.
    `,
    shows(
      run('node src/cli.ts import --office tokyo --file fixtures/tokyo-2026-03.csv'),
      '0 imported, 173 duplicates',
    ),
    shows(read('data/journal.jsonl', 1, 12), 'E-000001'),
    run('node --test test/server.test.ts test/api-v1.test.ts'),
  ),
  say(`
    The journal works: 354 entries on disk, ids go on after a restart, a second import books nothing, and
    \`/v1\` is untouched.

    The restart test caught one real error, the id sequence that always began at zero. One thing I noticed while
    waiting: the importer posts row by row, so importing Tokyo's March meant 173 \`fsync\` calls.
  `),
]
