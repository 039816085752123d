import { act, code, type Episode, edit, read, run, say, search, shows, user, write } from '../steps.ts'

/** Everything that was decided is written down, and the whole suite runs once more. */
export const wrappingUp: Episode = [
  user(`
    Before I go on leave: write docs/decisions.md. Everything that we decided, one line each with the reason,
    from the first day on. Also what we decided and then changed. I want to hand that to whoever comes next, so
    that nobody has to ask me on the beach. 🏖️
  `),
  act(
    `
    Most of it I know from our conversation; the numbers I take from the code and not from my memory.
    `,
    shows(
      search('BATCH_SIZE =|KEEP_DAYS =|WARN_PERCENT =|DEFAULT_PORT =|BUSY_TIMEOUT =|APPROVAL_FROM:', 'src'),
      '6 matches',
    ),
    read('docs/known-problems.md'),
    read('README.md'),
    read('src'),
  ),
  act(
    null,
    write(
      'docs/decisions.md',
      code`
# Decisions

Each with its reason. What was changed stands at the place of what it replaced.

## Rules that hold everywhere

- Amounts are integers of the smallest unit: cents, whole yen. No floating point, not even in between; percentages are compared as products.
- What \`/v1\` answers is frozen, because the accountants' tool cannot be changed. \`test/api-v1.test.ts\` is never edited. Error messages are part of it. Wrong numbers are not: they are corrected.
- Port 8471, built into the same tool. \`TALLY_PORT\` overrides it.
- No dependencies beyond Node 24.
- Entries are never changed or deleted. Entry ids are \`E-\` and six digits; they stand in people's spreadsheets.
- Kebab-case for files and error codes, named exports, one test file for each module.

## Storage

- **SQLite** (node:sqlite, \`data/tally.db\`, WAL, busy timeout 5000 ms), *was: a JSONL journal*. The journal was chosen for one process and for people with an editor. Then the import became a cron job: two writers handed out the same ids, and nobody had used the editor. \`tally export\` prints JSONL.
- Not Postgres, both times: nobody here can run one.
- The store hands out ids, inside a transaction. Of double ids from the journal the later entry was renumbered, with the old id in its note.
- An entry is booked when it is on disk.

## Import

- Batches of 200: the bank's export has pages of 200, and 500 stalled the service.
- A row is known by office, time, merchant, amount **and the bank's reference**; two colleagues may pay the same at the same minute.
- English and Japanese headers, with or without a byte order mark.
- Raw rows are kept for 90 days, in local days of the office, then purged. Data protection insists on that number.

## Months and days

- A month is a month on the calendar of the office, *was: in UTC*. That was T-17. The database is asked for a day more on either side and knows nothing of time zones.
- A reversal is booked today, because the money comes back today. A split keeps the day of the payment, because no money moves.

## Categories, budgets, approvals

- The florist is \`office\` from April 2026 on; March stays \`other\`. Estúdio Lume stays \`other\` until marketing has a category.
- A category warns from 80 percent of its limit and is over beyond the limit; exactly 100 percent is a warning.
- From €300.00 or ¥45,000, inclusive, a second person signs, *was: €500 and ¥75,000*; bills were split to stay below. Refunds need no signature, what was reversed neither.

## Words

- A card statement has *merchants*; a vendor is a supplier with a contract. Outside (\`/v1\`, the bank's header) the word stays \`vendor\`.
- The log never writes a secret, whoever calls it: masked by the name of the field and by its shape.
`,
    ),
    edit(
      'README.md',
      '    node src/http/server.ts                                         the HTTP service',
      code`
    node src/cli.ts budget --office tokyo --month 2026-03           also: approvals, list, export
    node src/cli.ts split --office tokyo --id E-000012 --into lodging,meals
    node src/cli.ts purge --office tokyo                            raw rows older than 90 days
    node src/http/server.ts                                         the HTTP service`,
    ),
    edit(
      'README.md',
      '| `src/rules.ts` | which vendor belongs to which category |',
      code`
| \`src/approvals.ts\` | what needs a second signature |
| \`src/raw-rows.ts\` | the bank's own lines, for 90 days |
| \`src/rules.ts\` | which merchant belongs to which category |
| \`src/commands/\` | one file for each command |`,
    ),
    edit(
      'README.md',
      '## Known problems\n\nSee `docs/known-problems.md`.',
      '## More\n\n`docs/decisions.md` says what was decided and why, `docs/known-problems.md` what is known to be wrong.',
    ),
  ),
  say(`
    \`docs/decisions.md\` is written: the rules of the first day, and everything after it. Three entries say
    what they replaced: SQLite (was: the journal), local months (was: UTC) and the threshold for signatures
    (was: 500).

    One thing I put in that you never said as a rule, but decided by example: error messages count as part of
    \`/v1\`, wrong numbers do not. Please read that line.
  `),
  user(`
    Read it, it is right. One thing is missing, though: on the first day you leaned to SQLite and I took the
    journal. Why does it say nothing about that? 😉
  `),
  say(`
    You had the better reason for the facts of that day: one process, and people who wanted an editor. I said "a
    second writer is the kind of thing that happens", which is a hunch and not a reason. What made the change
    cheap was your other sentence, "keep it behind Store, so that we can change our minds". That one belongs
    into the document; I add it.
  `),
  user('Do that. Then everything once more, the long output, so that I can attach it.'),
  act(
    null,
    edit(
      'docs/decisions.md',
      '- Not Postgres, both times: nobody here can run one.',
      code`
- Everything above the storage knows only \`Store\`. That is why the change cost a day and not a month; keep it so.
- Not Postgres, both times: nobody here can run one.`,
    ),
    shows(run('node --test --test-isolation=none --test-reporter=tap'), '# fail 0', '# pass 9'),
  ),
  act(
    'All green. And the program itself, once through, on a fresh folder as a newcomer would.',
    write('tmp/fresh.env', 'TALLY_DATA_DIR=./tmp/fresh\n'),
    shows(
      run('node --env-file=tmp/fresh.env src/cli.ts import --office tokyo --file fixtures/tokyo-2026-03.csv'),
      '173 imported',
    ),
    shows(
      run(
        'node --env-file=tmp/fresh.env src/cli.ts reconcile --office tokyo --month 2026-03 --file fixtures/tokyo-2026-03.csv',
      ),
      'difference ¥0',
    ),
    shows(run('node --env-file=tmp/fresh.env src/cli.ts purge --office lisbon'), '0 raw rows purged, 0 kept'),
  ),
  say(`
    Done, and everything is green.

    - T-17, T-21 and T-22 are closed; known-problems has nothing open.
    - Storage is SQLite; \`/v1\` answers the same bodies as on the first day, its contract test was never
      edited.
    - New: budgets with warnings, approvals, split, export, purge, Japanese headers, masked secrets in the log.
    - Still yours: replace the production token, delete the old log files, tell the accountants about the 18
      requests with half units and about Tokyo's March, ¥705,263.

    Enjoy the beach. The next one has a document to read.
  `),
]
