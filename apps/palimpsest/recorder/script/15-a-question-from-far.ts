import { act, code, type Episode, edit, run, say, search, shows, user } from '../steps.ts'

/** Questions about what was decided hundreds of messages ago, and one of those decisions is changed. */
export const aQuestionFromFar: Episode = [
  user(`
    Stop for a moment, I have finance on the phone. Two questions. Why do we import in batches of 200 and not
    500, the new disk would take it? And which port do they have to open in the firewall, did we ever change it?
  `),
  act(
    'Both were settled early on; I check that the code still says the same.',
    shows(search('BATCH_SIZE =|DEFAULT_PORT =|stalled', 'src'), 'BATCH_SIZE = 200', 'DEFAULT_PORT = 8471'),
  ),
  say(`
    - **200**, for two reasons, both yours: 500 stalled the service for seconds on the old machine, and the
      bank's export comes in pages of 200, so an import that breaks off breaks off at the end of a page. A
      faster disk removes the first reason but not the second. I would leave it.
    - **8471**, never changed. It is the default because the accountants' tool has it built in. \`TALLY_PORT\`
      can override it, for a test machine for instance.
  `),
  user(`
    And the 500 euro for signatures, was that "from" or "above"? They argue about exactly 500.00.
  `),
  say(`
    From. Exactly €500.00 needs a signature, and so do exactly ¥75,000; the tests pin both borders. Refunds need
    none, whatever their size: you decided that right after.
  `),
  user(`
    They owe me a coffee. But the auditors sit beside them and want it lower: last year two bills were split to
    stay below 500. So I change that decision: signatures from 300 euro or 45,000 yen instead of 500 and 75,000.
    Inclusive as before, refunds free as before.
  `),
  act(
    'One constant, and two tests that should notice.',
    edit('src/approvals.ts', '{ EUR: 50_000, JPY: 75_000 }', '{ EUR: 30_000, JPY: 45_000 }'),
    shows(
      run('node --test test/approvals.test.ts', 1),
      'fail 2',
      'begins at 500 euro',
      'begins at 75,000 yen',
    ),
  ),
  act(
    `
    Both noticed. They get the new borders; the two about refunds and reversals stay green as they are.
    `,
    edit('test/approvals.test.ts', "it('begins at 500 euro'", "it('begins at 300 euro'"),
    edit(
      'test/approvals.test.ts',
      code`
    ledger.postAll([lunch({ amount: 49_999 }), lunch({ amount: 50_000 }), lunch({ amount: 50_001 })])
    assert.deepEqual(monthApprovals(ledger, lisbon, '2026-03').map((entry) => entry.amount), [50_000, 50_001])`,
      code`
    ledger.postAll([lunch({ amount: 29_999 }), lunch({ amount: 30_000 }), lunch({ amount: 30_001 })])
    assert.deepEqual(monthApprovals(ledger, lisbon, '2026-03').map((entry) => entry.amount), [30_000, 30_001])`,
    ),
    edit('test/approvals.test.ts', "it('begins at 75,000 yen'", "it('begins at 45,000 yen'"),
    edit(
      'test/approvals.test.ts',
      code`
    ledger.postAll([74_999, 75_000].map((amount) => lunch({ office: 'tokyo', currency: 'JPY', amount })))
    assert.deepEqual(monthApprovals(ledger, tokyo, '2026-03').map((entry) => entry.amount), [75_000])`,
      code`
    ledger.postAll([44_999, 45_000].map((amount) => lunch({ office: 'tokyo', currency: 'JPY', amount })))
    assert.deepEqual(monthApprovals(ledger, tokyo, '2026-03').map((entry) => entry.amount), [45_000])`,
    ),
  ),
  act(
    null,
    shows(run('node --test test/approvals.test.ts'), 'fail 0'),
    shows(search('\\b(50_000|75_000|500 euro|75,000 yen)\\b', '.'), 'no matches'),
  ),
  say(`
    Changed: from €300.00 and ¥45,000, inclusive, instead of €500.00 and ¥75,000. The old numbers stand nowhere
    any more. For the months that are already signed this changes nothing by itself; \`tally approvals\` for an
    old month will simply list more than was signed then.
  `),
  user(`
    That is fine, it counts from now on. One more check before the next feature: does anything still use
    floating point? You have written a lot since.
  `),
  act(
    `
    In the code and in the data. For the second, let me try whether the server has the usual shell of SQLite.
    `,
    shows(search('toFixed|parseFloat|Math\\.round|/ 100\\b', 'src'), 'no matches'),
    run("sqlite3 data/tally.db 'SELECT typeof(amount), count(*) FROM entries GROUP BY 1'", 127),
  ),
  act(
    'It has not; Node can ask the same.',
    shows(
      run(
        `node --input-type=module -e 'import { DatabaseSync } from "node:sqlite"; const db = new DatabaseSync("data/tally.db"); console.log(db.prepare("SELECT typeof(amount) AS type, count(*) AS entries FROM entries GROUP BY 1").all())'`,
      ),
      "type: 'integer', entries: 354",
    ),
  ),
  say(`
    No. Nothing in \`src\` divides or rounds an amount, and the database says the same of what it holds: 354
    amounts, all of type integer.
  `),
]
