import { act, code, type Episode, edit, read, run, say, search, shows, user, write } from '../steps.ts'

/** Measured without a stopwatch: how many rows leave the database for one answer. */
export const fewerRows: Episode = [
  user(`
    Last feature for now, and it is not one. You said on the first day that ledger.list walks all entries for
    every call. In two years we have 20,000. I do not want a stopwatch, those lie. Count how many rows leave the
    database for one month of one office, and then make it fewer.
  `),
  act(
    'A count is honest. I need 20,000 entries over two years, and the plan that SQLite makes.',
    read('src/ledger.ts', 72, 92),
    shows(search('store\\.all|ledger\\.list', 'src'), 'approvals.ts'),
    write(
      'scripts/count-rows.ts',
      code`
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../src/clock.ts'
import { createLedger } from '../src/ledger.ts'
import { openSqliteStore } from '../src/store/sqlite-store.ts'

/** How many rows leave a database of 20,000 entries for one month of one office. */
const path = 'tmp/many.db'
for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
const store = openSqliteStore(path)
const start = Date.parse('2026-01-01T00:30:00.000Z')
store.add(
  Array.from({ length: 20_000 }, (_, at) => ({
    office: at % 2 === 0 ? ('lisbon' as const) : ('tokyo' as const),
    postedAt: new Date(start + at * 53 * 60_000).toISOString(),
    amount: 100 + (at % 900),
    currency: at % 2 === 0 ? ('EUR' as const) : ('JPY' as const),
    merchant: 'Konbini Sakura',
    category: 'meals' as const,
    note: '',
  })),
)
let rows = 0
const counting = Object.fromEntries(
  Object.entries(store).map(([name, member]) => [
    name,
    (...args: never[]) => {
      const result = (member as (...args: never[]) => unknown)(...args)
      if (Array.isArray(result)) rows += result.length
      return result
    },
  ]),
) as unknown as typeof store
const entries = createLedger({ store: counting, clock: systemClock }).list({ office: 'tokyo', month: '2026-03' })
console.log(\`\${rows} rows read for \${entries.length} entries\`)

const db = new DatabaseSync(path)
for (const sql of process.argv.slice(2)) {
  console.log(sql)
  for (const { detail } of db.prepare(\`EXPLAIN QUERY PLAN \${sql}\`).all()) console.log('  ', detail)
}
`,
    ),
    shows(
      run("node scripts/count-rows.ts 'SELECT * FROM entries WHERE office = ? AND posted_at >= ?'"),
      '20000 rows read for',
      'SCAN entries',
    ),
  ),
  say(`
    20,000 rows read to find 421 entries, and without an index the plan is a scan in any case. One answer of
    \`/v1/report\` asks once, \`tally budget\` asks five times.

    What I would do: the store gets a \`find({ office, from, to })\` with an index on office and time, and
    \`list\` asks it for the month plus a day on either side. Whether an entry belongs to the month is then
    decided in the office's time zone as before. So the database knows nothing of time zones, and T-17 cannot
    come back through it.
  `),
  user('The day on either side is good, keep the rule about local days in one place. Do it.'),
  act(
    'Into the contract of all stores first: same test for memory and SQLite.',
    edit(
      'test/store.test.ts',
      code`
    it('knows nothing of an id that was never given', () => {`,
      code`
    it('finds the entries of an office in a span of time', () => {
      const store = open()
      store.add([
        lunch({ postedAt: '2026-03-01T00:00:00.000Z' }),
        lunch({ postedAt: '2026-03-02T00:00:00.000Z', office: 'tokyo', currency: 'JPY' }),
        lunch({ postedAt: '2026-03-03T00:00:00.000Z' }),
        lunch({ postedAt: '2026-03-02T00:00:00.000Z' }),
      ])
      const ids = (query: Parameters<Store['find']>[0]) => store.find(query).map((entry) => entry.id)
      assert.deepEqual(ids({}), ['E-000001', 'E-000002', 'E-000003', 'E-000004'])
      assert.deepEqual(ids({ office: 'lisbon' }), ['E-000001', 'E-000003', 'E-000004'])
      assert.deepEqual(ids({ from: '2026-03-02T00:00:00.000Z' }), ['E-000002', 'E-000003', 'E-000004'])
      assert.deepEqual(ids({ office: 'lisbon', from: '2026-03-02T00:00:00.000Z', to: '2026-03-03T00:00:00.000Z' }), ['E-000004'])
      store.close()
    })

    it('knows nothing of an id that was never given', () => {`,
    ),
    edit(
      'src/store/store.ts',
      code`
  close(): void`,
      code`
  /** The entries of an office with \`from\` ≤ postedAt < \`to\`, in the order in which they were added. What is left out does not limit. */
  find(query: EntryQuery): readonly Entry[]
  close(): void`,
    ),
    edit(
      'src/store/store.ts',
      code`
/** Where entries are kept.`,
      code`
export interface EntryQuery {
  readonly office?: OfficeId
  /** UTC, ISO 8601, as in \`postedAt\`. */
  readonly from?: string
  readonly to?: string
}

/** Where entries are kept.`,
    ),
    edit(
      'src/store/store.ts',
      "import type { Draft, Entry } from '../entry.ts'",
      "import type { Draft, Entry } from '../entry.ts'\nimport type { OfficeId } from '../offices.ts'",
    ),
  ),
  act(
    null,
    edit(
      'src/store/memory-store.ts',
      '    all: () => entries,',
      code`
    all: () => entries,
    find: ({ office, from = '', to = '~' }) =>
      entries.filter((entry) => (office ?? entry.office) === entry.office && entry.postedAt >= from && entry.postedAt < to),`,
    ),
    edit(
      'src/store/sqlite-store.ts',
      code`
    all: () => selectAll.all()`,
      code`
    find: ({ office = null, from = '', to = '~' }) =>
      selectSome.all(office, office, from, to).map((row) => toEntry(row as unknown as Row)),
    all: () => selectAll.all()`,
    ),
    edit(
      'src/store/sqlite-store.ts',
      '  const selectAll = db.prepare(',
      code`
  const selectSome = db.prepare(
    \`\${SELECT} WHERE (? IS NULL OR office = ?) AND posted_at >= ? AND posted_at < ? ORDER BY sequence\`,
  )
  const selectAll = db.prepare(`,
    ),
    shows(run('node --test test/store.test.ts'), 'fail 0'),
  ),
  act(
    `
    Both stores agree. Now the month as a span with a day on either side, and \`list\` asks for that.
    `,
    edit(
      'src/months.ts',
      code`
export function assertMonth(`,
      code`
/** A span of UTC times that holds the whole month in every time zone, and a little more. */
export function spanOf(month: string): { readonly from: string; readonly to: string } {
  const DAY = 86_400_000
  const first = Date.parse(\`\${assertMonth(month)}-01T00:00:00.000Z\`)
  const next = Date.parse(\`\${nextMonth(month)}-01T00:00:00.000Z\`)
  return { from: new Date(first - DAY).toISOString(), to: new Date(next + DAY).toISOString() }
}

export function assertMonth(`,
    ),
    edit(
      'src/ledger.ts',
      'return store.all().filter((entry) => {',
      code`
const span = filter.month === undefined ? {} : spanOf(filter.month)
      return store.find({ ...span, ...(filter.office === undefined ? {} : { office: filter.office }) }).filter((entry) => {`,
    ),
    edit(
      'src/ledger.ts',
      "import { monthOf } from './months.ts'",
      "import { monthOf, spanOf } from './months.ts'",
    ),
    shows(
      run(
        "node scripts/count-rows.ts 'SELECT * FROM entries WHERE (? IS NULL OR office = ?) AND posted_at >= ? AND posted_at < ? ORDER BY sequence'",
      ),
      '448 rows read for 421 entries',
      'SCAN entries',
    ),
  ),
  act(
    `
    From 20,000 rows to 448 for the same 421 entries. But the plan still says SCAN: fewer rows come *out*,
    SQLite still looks at all of them inside. Two reasons. There is no index yet, and the \`? IS NULL OR\` keeps
    it from using one. An index, and two statements instead of one clever one.
    `,
    edit(
      'src/store/sqlite-store.ts',
      code`
  const selectSome = db.prepare(
    \`\${SELECT} WHERE (? IS NULL OR office = ?) AND posted_at >= ? AND posted_at < ? ORDER BY sequence\`,
  )`,
      code`
  const selectSpan = db.prepare(\`\${SELECT} WHERE posted_at >= ? AND posted_at < ? ORDER BY sequence\`)
  const selectSpanOf = db.prepare(\`\${SELECT} WHERE office = ? AND posted_at >= ? AND posted_at < ? ORDER BY sequence\`)`,
    ),
    edit(
      'src/store/sqlite-store.ts',
      code`
    find: ({ office = null, from = '', to = '~' }) =>
      selectSome.all(office, office, from, to).map((row) => toEntry(row as unknown as Row)),`,
      code`
    find({ office, from = '', to = '~' }) {
      const rows = office === undefined ? selectSpan.all(from, to) : selectSpanOf.all(office, from, to)
      return rows.map((row) => toEntry(row as unknown as Row))
    },`,
    ),
    edit(
      'src/store/sqlite-store.ts',
      '  renameVendor(db)\n',
      "  renameVendor(db)\n  db.exec('CREATE INDEX IF NOT EXISTS entries_by_office ON entries (office, posted_at)')\n",
    ),
    shows(
      run(
        "node scripts/count-rows.ts 'SELECT * FROM entries WHERE office = ? AND posted_at >= ? AND posted_at < ? ORDER BY sequence'",
      ),
      'SEARCH entries USING INDEX entries_by_office',
    ),
  ),
  act(
    null,
    shows(run('node --test --test-isolation=none'), 'fail 0'),
    shows(
      run('node src/cli.ts reconcile --office tokyo --month 2026-03 --file fixtures/tokyo-2026-03.csv'),
      'difference ¥0',
    ),
  ),
  say(`
    20,000 rows before, 448 now, for the same 421 entries; and \`SEARCH … USING INDEX\` where there was
    \`SCAN\`. Tokyo's March still agrees to the yen, and all tests are green.

    \`reverse\` and \`split\` still ask \`store.all()\` whether an entry is reversed already. They run a few
    times a day, so I left that alone. \`scripts/count-rows.ts\` stays, it is the way to check this again.
  `),
]
