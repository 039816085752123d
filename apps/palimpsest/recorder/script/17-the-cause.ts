import { act, code, type Episode, edit, read, run, say, search, shows, user, write } from '../steps.ts'

/** T-17, red since the first run, is understood and fixed. */
export const theCause: Episode = [
  user('T-17? Drop everything else. Go!'),
  act(
    'First the evidence that I have already had in my hands, then the code.',
    shows(search('import\\.range', 'logs/service.log'), '2026-02-28T23:31:00.000Z'),
    read('src/months.ts', 1, 8),
    shows(search('monthOf', '.'), 'src/ledger.ts'),
    read('docs/known-problems.md'),
  ),
  act(
    `
    It all fits. The missing row: 1 March 08:31 in Tokyo, in UTC still February, so our March does not have it.
    The two rows too many: 1 April 07:10 and 07:37 in Tokyo, in UTC still 31 March, so our March has them. Three
    rows before nine o'clock on the first of a month, ¥1,073 + ¥2,158 − ¥5,604 = −¥2,373. I first write it down
    as a test of \`monthOf\`, with Lisbon's summer time as well, because Lisbon has the same error for one hour.
    `,
    write(
      'test/months.test.ts',
      code`
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { monthOf, nextMonth } from '../src/months.ts'

describe('monthOf', () => {
  it('is the month in the time zone of the office', () => {
    assert.equal(monthOf('2026-02-28T23:31:00.000Z', 'Asia/Tokyo'), '2026-03')
    assert.equal(monthOf('2026-03-31T22:10:00.000Z', 'Asia/Tokyo'), '2026-04')
    assert.equal(monthOf('2026-03-31T14:59:00.000Z', 'Asia/Tokyo'), '2026-03')
  })

  it('knows summer time', () => {
    assert.equal(monthOf('2026-02-28T23:30:00.000Z', 'Europe/Lisbon'), '2026-02')
    assert.equal(monthOf('2026-03-31T23:30:00.000Z', 'Europe/Lisbon'), '2026-04')
  })
})

describe('nextMonth', () => {
  it('goes over the end of the year', () => {
    assert.equal(nextMonth('2026-03'), '2026-04')
    assert.equal(nextMonth('2026-12'), '2027-01')
  })
})
`,
    ),
    shows(run('node --test test/months.test.ts', 1), 'fail 2', "+ '2026-02'"),
  ),
  act(
    `
    Red in both zones. Now the fix: a month is the first seven characters of the *local* day, and each entry is
    judged by its own office.
    `,
    edit(
      'src/months.ts',
      code`
/** The accounting month, \`YYYY-MM\`, that a time falls into. */
export function monthOf(timestamp: string): string {
  return timestamp.slice(0, 7)
}`,
      code`
/** The accounting month, \`YYYY-MM\`, of a time: the month on the calendar of the office, not the one in UTC. */
export function monthOf(timestamp: string, timeZone: string): string {
  return dayOf(timestamp, timeZone).slice(0, 7)
}`,
    ),
    edit(
      'src/months.ts',
      "import { LedgerError } from './errors.ts'",
      "import { dayOf } from './days.ts'\nimport { LedgerError } from './errors.ts'",
    ),
    edit(
      'src/ledger.ts',
      'if (filter.month !== undefined && monthOf(entry.postedAt) !== filter.month) return false',
      'if (filter.month !== undefined && monthOf(entry.postedAt, offices[entry.office].timeZone) !== filter.month) return false',
    ),
    edit(
      'src/ledger.ts',
      "import type { OfficeId } from './offices.ts'",
      "import { type OfficeId, offices } from './offices.ts'",
    ),
  ),
  act(
    null,
    shows(
      run('node --test test/months.test.ts test/reconcile.test.ts'),
      '✔ Tokyo agrees with its statement for March',
      'fail 0',
    ),
  ),
  act(
    `
    **Tokyo agrees with its statement.** The whole suite, and the command line on the real database with April
    imported.
    `,
    shows(run('node --test --test-isolation=none'), 'fail 0'),
    shows(
      run('node src/cli.ts import --office tokyo --file fixtures/tokyo-2026-04.csv', 1),
      '164 imported',
      '1 rejected',
    ),
    shows(
      run('node src/cli.ts reconcile --office tokyo --month 2026-03 --file fixtures/tokyo-2026-03.csv'),
      'difference ¥0',
    ),
    shows(run('node src/cli.ts report --office tokyo --month 2026-03'), '¥705,263'),
  ),
  say(`
    T-17 is solved, and the whole suite is green for the first time.

    The cause: a month began and ended at midnight in Greenwich. What is paid in Tokyo before 09:00 on the first
    of a month was counted in the month before. Lisbon has the same error for one hour in summer, only nobody
    buys anything there between midnight and one.

    My guess of the first day, late bookings at the bank, was **wrong**. And the clue was in my hands twice: in
    the log stood \`import.range first=2026-02-28T23:31\` for a March statement, and I told you that nothing was
    wrong with it.
  `),
  user(`
    Two people, a week each, and it is a slice(0, 7). 😅 You marked the guess as a guess, that is all I ask. But:
    /v1/entries?month= and /v1/report answer other numbers now. Is that against rule 2?
  `),
  act(
    'A fair question. The frozen test first, and then the question which numbers move at all.',
    shows(run('node --test test/api-v1.test.ts'), 'fail 0'),
    shows(
      run(
        `node --input-type=module -e 'import { openSqliteStore } from "./src/store/sqlite-store.ts"; import { monthOf } from "./src/months.ts"; import { offices } from "./src/offices.ts"; const moved = openSqliteStore("data/tally.db").all().filter((entry) => entry.postedAt.slice(0, 7) !== monthOf(entry.postedAt, offices[entry.office].timeZone)); console.table(moved.map(({ id, office, postedAt, amount, vendor }) => ({ id, office, postedAt, month: monthOf(postedAt, offices[office].timeZone), amount, vendor })))'`,
      ),
      'Bunbogu Mori',
      'Shinkawa Taxi',
    ),
  ),
  say(`
    By the letter, no: \`test/api-v1.test.ts\` is untouched and green, the bodies have the same fields in the
    same order. In substance three entries of the two months change sides, all of them in Tokyo and all of them
    from the wrong month into the right one; posted_at stays in UTC as it was. I read rule 2 as protecting the
    tool from a changed *shape*, not as protecting a wrong sum. But it is your rule.
  `),
  user(`
    Read correctly. Bodies are frozen, errors are not. I will tell the accountants that March in Tokyo is
    ¥705,263. Write the true cause into known-problems, and what the guess was.
  `),
  act(
    null,
    edit(
      'docs/known-problems.md',
      code`
- T-17: Tokyo does not reconcile for March 2026. \`test/reconcile.test.ts\` shows it.
  Fixed: equal payments with different references were dropped as duplicates (four rows, ¥20,260).
  Open, ¥2,373: the first row of the March file (Bunbogu Mori, ¥5,604) is not in our March, and the first two rows of
  the April file (Konbini Sakura ¥1,073, Shinkawa Taxi ¥2,158) are. Guess, not proven: the bank puts late bookings into
  the next file.`,
      code`
- T-17: fixed. Tokyo did not reconcile for March 2026, for two reasons.
  Equal payments with different references were dropped as duplicates (four rows, ¥20,260).
  Months began at midnight UTC: what was paid in Tokyo before 09:00 on the first of a month counted for the month before
  (three rows, ¥2,373). The first guess, late bookings at the bank, was wrong.`,
    ),
    shows(search('toISOString\\(\\)\\.slice|slice\\(0, (7|10)\\)', 'src'), 'src/months.ts'),
  ),
  say(`
    Written. I also searched for other places that cut a day or a month out of a UTC time: the only \`slice\`
    left is the one in \`monthOf\`, on a local day.
  `),
  user('Now the purge.'),
  act(
    'Back to where I was: the rows have to be kept at import, and the command is missing.',
    edit(
      'src/importer.ts',
      code`
  let imported = 0
  for (`,
      code`
  rawRows?.keep(office, statement.rows)
  let imported = 0
  for (`,
    ),
    edit(
      'src/importer.ts',
      '  const { ledger, office, text } = options\n',
      '  const { ledger, office, text, rawRows } = options\n',
    ),
    edit(
      'src/importer.ts',
      code`
  readonly text: string
}): ImportResult {`,
      code`
  readonly text: string
  /** Where the bank's own lines are kept for the auditors. */
  readonly rawRows?: RawRows
}): ImportResult {`,
    ),
    edit(
      'src/importer.ts',
      "import type { Office } from './offices.ts'",
      "import type { Office } from './offices.ts'\nimport type { RawRows } from './raw-rows.ts'",
    ),
  ),
  act(
    null,
    edit(
      'src/commands/import.ts',
      '({ ledger, office, file, print })',
      '({ ledger, office, file, rawRows, print })',
    ),
    edit(
      'src/commands/import.ts',
      'importStatement({ ledger, office, text: file() })',
      'importStatement({ ledger, office, text: file(), rawRows })',
    ),
    write(
      'src/commands/purge.ts',
      code`
import { systemClock } from '../clock.ts'
import type { Command } from './command.ts'

/** Removes the raw rows that data protection does not allow us to keep any longer. */
export const purgeCommand: Command = ({ rawRows, office, print }) => {
  const purged = rawRows.purge(office, systemClock.now())
  print(\`\${purged} raw rows purged, \${rawRows.count(office)} kept\`)
  return 0
}
`,
    ),
    edit(
      'src/commands/index.ts',
      "  ['export', exportCommand],",
      "  ['purge', purgeCommand],\n  ['export', exportCommand],",
    ),
  ),
  act(
    null,
    edit(
      'src/commands/index.ts',
      "import { reconcileCommand } from './reconcile.ts'",
      "import { purgeCommand } from './purge.ts'\nimport { reconcileCommand } from './reconcile.ts'",
    ),
    edit(
      'src/commands/command.ts',
      '  readonly office: Office\n',
      '  readonly office: Office\n  readonly rawRows: RawRows\n',
    ),
    edit(
      'src/commands/command.ts',
      "import type { Office } from '../offices.ts'",
      "import type { Office } from '../offices.ts'\nimport type { RawRows } from '../raw-rows.ts'",
    ),
    edit(
      'src/cli.ts',
      code`
  const store = openSqliteStore(join(readConfig(process.env).dataDir, 'tally.db'))`,
      code`
  const database = join(readConfig(process.env).dataDir, 'tally.db')
  const store = openSqliteStore(database)
  const rawRows = openRawRows(database)`,
    ),
  ),
  act(
    null,
    edit('src/cli.ts', '      office,\n      month:', '      office,\n      rawRows,\n      month:'),
    edit(
      'src/cli.ts',
      '  } finally {\n    store.close()',
      '  } finally {\n    rawRows.close()\n    store.close()',
    ),
    edit(
      'src/cli.ts',
      "import { openSqliteStore } from './store/sqlite-store.ts'",
      "import { openRawRows } from './raw-rows.ts'\nimport { openSqliteStore } from './store/sqlite-store.ts'",
    ),
    shows(run('node --test test/cli.test.ts'), 'fail 0'),
  ),
  act(
    null,
    shows(run('node --test test/importer.test.ts test/raw-rows.test.ts'), 'fail 0'),
    shows(
      run('node src/cli.ts import --office lisbon --file fixtures/lisbon-2026-04.csv', 1),
      '177 imported',
    ),
  ),
  say(`
    \`tally purge\` is in, with \`KEEP_DAYS = 90\` in one place. Import keeps the rows, purge removes them by
    the office's own days, entries are never touched.
  `),
]
