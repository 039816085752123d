import { act, code, type Episode, edit, read, run, say, search, shows, user } from '../steps.ts'

/** The agent reads the project and is told the rules that hold from here on. */
export const gettingToKnow: Episode = [
  user(`
    You are taking over tally, our expense ledger. The previous contractor left last week. Read your way in and
    tell me what it does, how it hangs together and where it looks weak. Do not change anything yet.
  `),
  act(
    'I start with what the project says about itself, and with the list of its files.',
    read('README.md'),
    read('docs/known-problems.md'),
    read('.'),
  ),
  act(
    `
    Small: about twenty source files. The core seems to be an append-only ledger over a store, so I read that
    first, from the inside out: entry, ledger, store.
    `,
    read('src/entry.ts'),
    read('src/ledger.ts'),
    read('src/store/store.ts'),
    read('src/store/memory-store.ts'),
  ),
  act(
    `
    The store is three methods and a Map. Now the way in: how a bank statement becomes entries, and how it is
    checked.
    `,
    read('src/importer.ts'),
    read('src/statement.ts'),
    read('src/csv.ts'),
    read('src/reconcile.ts'),
  ),
  act(
    'And the way out: HTTP, configuration, the log.',
    read('src/http/api-v1.ts'),
    read('src/http/router.ts'),
    read('src/http/server.ts'),
    read('src/config.ts'),
  ),
  act(
    'What is left are the small modules that everything leans on.',
    read('src/money.ts'),
    read('src/offices.ts'),
    read('src/months.ts'),
    read('src/ids.ts'),
  ),
  say(`
    What it does: tally takes the monthly statement of the company card for two offices, books every row as an
    entry, gives it a category by the vendor's name, and answers at the end of the month whether ledger and
    statement agree.

    How it hangs together:

    - \`statement.ts\` reads the bank's CSV, \`importer.ts\` turns new rows into drafts, \`ledger.ts\` gives
      them ids and hands them to a store. Entries are never edited; \`reverse\` books the opposite amount.
    - \`report.ts\`, \`budget.ts\` and \`reconcile.ts\` only read, through \`ledger.list\`.
    - \`http/api-v1.ts\` is a thin mapping on top. Its wire shape is snake_case and separate from \`Entry\`,
      which is good: the inside can move without the outside noticing.

    Where it looks weak:

    - The only store is in memory (T-21). The CLI builds a new one for each command, so \`import\` followed by
      \`report\` in a second process reports nothing at all.
    - The id sequence always begins at zero. As long as the store is empty at start that is harmless; the day it
      is not, ids repeat.
    - The importer knows a row by office, time, vendor and amount. The bank's own reference is read and then
      unused.
    - \`server.ts\` logs the Authorization header at debug level (T-22).
    - \`ledger.list\` walks all entries for every call. Fine at this size.

    I have not run anything yet.
  `),
  user(`
    Good summary. Before you touch code, the rules. They hold for everything you do here:

    1. Amounts are integers of the smallest unit: cents for euro, whole yen for yen. No floating point anywhere,
       not even in between.
    2. /v1 is frozen. The accountants' tool reads those bodies and nobody can change that tool. Never edit
       test/api-v1.test.ts, and it must stay green.
    3. Port 8471 stays the default. It is built into the same tool.
    4. No dependencies. What Node 24 brings is what we have.
    5. Entries are never changed and never deleted. Raw statement rows are a different matter: once we keep
       them, they go after 90 days. Data protection insists on that number.
    6. Entry ids stay E- and six digits. They are in people's spreadsheets.
    7. Files in kebab-case, named exports only, error codes in kebab-case, tests in test/<module>.test.ts.
    8. After each change run the test file that covers it; run everything before you tell me that you are done.
  `),
  act(
    'Understood. Let me see at once whether the code as it stands keeps rules 1 and 7.',
    shows(search('/ 100|parseFloat|toFixed|Math\\.round', 'src'), 'report.ts:47', 'toFixed'),
    shows(search('export default', 'src'), 'no matches'),
    shows(search('8471'), 'src/config.ts', '.env.example'),
  ),
  say(`
    Rules noted. Two of them I could check right away:

    - Rule 7 holds: no default exports, and all names are in kebab-case.
    - Rule 1 is broken in one place: \`reportCsv\` in \`src/report.ts\` line 47 divides by 100 and calls
      \`toFixed(2)\`. For euros the result happens to be right; for Tokyo it is wrong by a factor of one
      hundred, because a yen has no hundredths. The existing test only covers Lisbon.

    I would fix that first, with a test for Tokyo that is red before the fix. May I?
  `),
  user(`
    Yes. That also explains a mail from Tokyo that I never understood: "the spreadsheet says we spent 98 yen on
    a hotel".
  `),
  act(
    'First the test, so that the error is on record.',
    read('src/report.ts', 40, 49),
    edit(
      'test/report.test.ts',
      code`
  it('writes euros with two decimals', () => {`,
      code`
  it('writes yen as whole yen', () => {
    const ledger = newLedger()
    ledger.post(lunch({ office: 'tokyo', currency: 'JPY', amount: 9_800, vendor: 'Ekimae Hotel', category: 'lodging' }))
    const report = monthReport(ledger, offices.tokyo, '2026-03')
    assert.equal(reportCsv(report), 'category,count,amount\nlodging,1,9800\n')
  })

  it('writes euros with two decimals', () => {`,
    ),
    shows(
      run('node --test test/report.test.ts', 1),
      "'category,count,amount\\nlodging,1,98.00\\n'",
      'fail 1',
    ),
  ),
  act(
    `
    Red, and exactly the 98 of the mail. \`formatAmount\` already knows the decimals of each currency; the
    spreadsheet needs the same digits without symbol and grouping. I split them off as \`plainAmount\`, so that
    there is one place that knows where the decimal point goes.
    `,
    edit(
      'src/money.ts',
      code`
  const places = decimals[currency]
  const digits = String(Math.abs(amount)).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, ',')
  const fraction = places === 0 ? '' : \`.\${digits.slice(-places)}\`
  return \`\${amount < 0 ? '-' : ''}\${symbols[currency]}\${whole}\${fraction}\`
}
`,
      code`
  const [whole = '', fraction] = plainAmount(Math.abs(amount), currency).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return \`\${amount < 0 ? '-' : ''}\${symbols[currency]}\${grouped}\${fraction === undefined ? '' : \`.\${fraction}\`}\`
}

/** The digits alone, as a spreadsheet wants them: \`1234.50\`, \`-980\`. */
export function plainAmount(amount: number, currency: Currency): string {
  const places = decimals[currency]
  const digits = String(Math.abs(amount)).padStart(places + 1, '0')
  const at = digits.length - places
  const sign = amount < 0 ? '-' : ''
  return places === 0 ? sign + digits : \`\${sign}\${digits.slice(0, at)}.\${digits.slice(at)}\`
}
`,
    ),
    edit(
      'src/report.ts',
      'String(line.count), (line.amount / 100).toFixed(2)]',
      'String(line.count), plainAmount(line.amount, report.office.currency)]',
    ),
    edit(
      'src/report.ts',
      "import { formatAmount } from './money.ts'",
      "import { formatAmount, plainAmount } from './money.ts'",
    ),
  ),
  act(
    null,
    edit(
      'test/money.test.ts',
      code`
describe('splitEvenly', () => {`,
      code`
describe('plainAmount', () => {
  it('has no symbol and no grouping', () => {
    assert.equal(plainAmount(123_450, 'EUR'), '1234.50')
    assert.equal(plainAmount(-7, 'EUR'), '-0.07')
    assert.equal(plainAmount(12_800, 'JPY'), '12800')
  })
})

describe('splitEvenly', () => {`,
    ),
    edit(
      'test/money.test.ts',
      'import { formatAmount, parseAmount, splitEvenly }',
      'import { formatAmount, parseAmount, plainAmount, splitEvenly }',
    ),
    shows(run('node --test test/money.test.ts test/report.test.ts'), 'fail 0'),
  ),
  say(`
    Done. The spreadsheet now prints whole yen, euros look as before, and there is no floating point left in
    \`src\`. Both test files are green. I have not run the whole suite yet.
  `),
]
