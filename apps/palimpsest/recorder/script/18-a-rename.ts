import { act, code, type Episode, edit, read, run, say, search, shows, user, write } from '../steps.ts'

/** A rename through the whole code, against a border that must not move. */
export const aRename: Episode = [
  user(`
    A matter of words. In the whole house "vendor" means a supplier with a contract; what stands on a card
    statement is a merchant. Rename vendor to merchant. Everywhere inside: types, filters, rules, the column in
    the database. That database is live, so no new file, migrate it when it is opened. Outside nothing moves:
    rule 2, and the bank's CSV header is the bank's.
  `),
  act(
    `
    First how much it is. By folder, so that I see which hits are inside and which are border.
    `,
    shows(search('[Vv]endor', 'src'), 'api-v1.ts', 'statement.ts'),
    shows(search('[Vv]endor', 'test'), 'api-v1.test.ts'),
    shows(search('[Vv]endor', 'scripts'), 'make-statement.ts'),
    shows(search('[Vv]endor', 'docs'), 'no matches'),
  ),
  say(`
    About eighty lines. The borders, where the word has to stay:

    - \`/v1\`: the field \`vendor\` in the bodies, the field in POST, the query parameter \`vendor\`. And
      \`test/api-v1.test.ts\`, which I may not edit.
    - the bank's header \`vendor\` in \`statement.ts\`, in the fixtures and in test data that imitates them.
    - \`scripts/\`: they generate what the bank writes. I leave them alone.

    The rest I rename with a small one-off script and then repair the borders by hand, with the frozen test as
    the judge. Any objection?
  `),
  user('None. But print what the script touches.'),
  act(
    null,
    write(
      'scripts/rename-merchant.ts',
      code`
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** One-off: vendor becomes merchant in the code. The contract test of /v1 is not touched. */
for (const folder of ['src', 'test']) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  for (const name of names) {
    const path = \`\${folder}/\${name}\`
    if (!path.endsWith('.ts') || path === 'test/api-v1.test.ts') continue
    const before = readFileSync(path, 'utf8')
    const places = before.match(/vendor/gi)?.length ?? 0
    if (places === 0) continue
    writeFileSync(path, before.replaceAll('vendor', 'merchant').replaceAll('Vendor', 'Merchant'))
    console.log(\`\${String(places).padStart(4)}  \${path}\`)
  }
}
`,
    ),
    shows(run('node scripts/rename-merchant.ts'), 'src/entry.ts'),
    shows(
      run('node --test --test-isolation=none', 1),
      'GET /v1/entries',
      'the statement has no column merchant',
    ),
  ),
  act(
    `
    As red as expected, in two groups: \`/v1\` now says \`merchant\`, and the statement looks for a column
    \`merchant\` that no bank writes. I repair the two borders and look at every line of \`api-v1.ts\` that has
    the new word.
    `,
    shows(search('merchant', 'src/http/api-v1.ts'), 'entry.merchant'),
    shows(search('merchant', 'src/statement.ts'), "['merchant', '店名']"),
    search('booked_at,merchant', 'test'),
  ),
  act(
    null,
    edit(
      'src/http/api-v1.ts',
      "const merchant = String(fields.merchant ?? '')",
      "const merchant = String(fields.vendor ?? '')",
    ),
    edit(
      'src/http/api-v1.ts',
      "const merchant = query.get('merchant')",
      "const merchant = query.get('vendor')",
    ),
    edit('src/http/api-v1.ts', '    merchant: entry.merchant,', '    vendor: entry.merchant,'),
    edit('src/statement.ts', "['merchant', '店名']", "['vendor', '店名']"),
  ),
  act(
    null,
    run(
      `node -e 'for (const name of ["importer", "reconcile"]) { const path = "test/" + name + ".test.ts"; const text = fs.readFileSync(path, "utf8"); fs.writeFileSync(path, text.replaceAll("booked_at,merchant", "booked_at,vendor")); console.log(path, text.split("booked_at,merchant").length - 1, "headers") }'`,
    ),
    shows(
      run(
        'node --test test/api-v1.test.ts test/importer.test.ts test/reconcile.test.ts test/rules.test.ts test/ledger.test.ts',
        1,
      ),
      'fail 2',
      '"vendor":"Tasca do Cais"',
    ),
  ),
  act(
    `
    Two left, both in the frozen test, and this time the API is innocent: the test *sets up* its entries with
    \`lunch({ vendor: 'Bento Hibari' })\`, and the helper no longer knows that word, so both entries fall back
    to the Tasca. The test may not be edited, so the helper has to understand both.
    `,
    read('test/helpers.ts', 15, 30),
    edit(
      'test/helpers.ts',
      code`
export function lunch(changes: Partial<Draft> = {}): Draft {
  return {`,
      code`
/** \`vendor\` is what the frozen test of /v1 calls the merchant. */
export function lunch({ vendor, ...changes }: Partial<Draft> & { readonly vendor?: string } = {}): Draft {
  return {`,
    ),
    edit('test/helpers.ts', "    merchant: 'Tasca do Cais',", "    merchant: vendor ?? 'Tasca do Cais',"),
    shows(run('node --test test/api-v1.test.ts test/ledger.test.ts'), 'fail 0'),
  ),
  act(
    `
    The frozen test is green again, untouched. But it does not pin everything that leaves the house: error
    bodies carry the *message*, and messages were renamed too. Which ones?
    `,
    shows(search('LedgerError\\(.*merchant', 'src'), 'merchant is empty'),
    shows(
      run(
        `node --input-type=module -e 'import { apiV1 } from "./src/http/api-v1.ts"; import { route } from "./src/http/router.ts"; import { clock, newLedger } from "./test/helpers.ts"; const routes = apiV1({ ledger: newLedger(), clock }); console.log(JSON.stringify(route(routes, { method: "POST", path: "/v1/entries", query: new URLSearchParams(), body: { office: "lisbon", amount: 100 } }).body))'`,
      ),
      'merchant is empty',
    ),
  ),
  act(
    `
    There is one: a POST without a vendor would answer \`merchant is empty\`, about a field that does not exist
    in \`/v1\`. The message goes back to the old word, with the reason beside it and a test, in a file that I am
    allowed to edit.
    `,
    edit(
      'src/entry.ts',
      "  if (draft.merchant.trim() === '') throw new LedgerError('bad-entry', 'merchant is empty')",
      code`
  // /v1 hands this message on, and there the field is called vendor.
  if (draft.merchant.trim() === '') throw new LedgerError('bad-entry', 'vendor is empty')`,
    ),
    edit(
      'test/ledger.test.ts',
      code`
  it('posts all or nothing', () => {`,
      code`
  it('speaks of the vendor to the outside', () => {
    assert.throws(() => newLedger().post(lunch({ merchant: ' ' })), { message: 'vendor is empty' })
  })

  it('posts all or nothing', () => {`,
    ),
    shows(run('node --test test/ledger.test.ts'), 'fail 0'),
    shows(run('node src/cli.ts report --office lisbon --month 2026-03', 1), 'no column named merchant'),
  ),
  act(
    `
    And the last border: \`no column named merchant\`. A new database has the new column, the live one has the
    old. That is why all tests were green: they always begin with an empty file. First a test that begins with
    an old one.
    `,
    read('src/store/sqlite-store.ts', 1, 50),
    edit(
      'test/store.test.ts',
      code`
describe('two processes on one SQLite file', () => {`,
      code`
describe('a database from before the rename', () => {
  it('keeps its entries when it is opened', () => {
    const path = newPath()
    const before = openSqliteStore(path)
    const added = before.add([lunch({ merchant: 'Tasca do Cais' })])
    before.close()
    const old = new DatabaseSync(path)
    old.exec('ALTER TABLE entries RENAME COLUMN merchant TO vendor')
    old.close()
    for (const opening of ['first', 'second']) {
      const after = openSqliteStore(path)
      assert.deepEqual(after.all(), added, opening)
      after.close()
    }
  })
})

describe('two processes on one SQLite file', () => {`,
    ),
    edit(
      'test/store.test.ts',
      "import { join } from 'node:path'\n",
      "import { join } from 'node:path'\nimport { DatabaseSync } from 'node:sqlite'\n",
    ),
    shows(run('node --test test/store.test.ts', 1), 'no column named merchant', 'fail 1'),
  ),
  act(
    null,
    edit(
      'src/store/sqlite-store.ts',
      code`
  db.exec(SCHEMA)`,
      code`
  db.exec(SCHEMA)
  renameVendor(db)`,
    ),
    edit(
      'src/store/sqlite-store.ts',
      code`
export interface SqliteStore extends Store {`,
      code`
/** Until April 2026 the column was called vendor. */
function renameVendor(db: DatabaseSync): void {
  const old = db.prepare("SELECT name FROM pragma_table_info('entries') WHERE name = 'vendor'").get()
  if (old !== undefined) db.exec('ALTER TABLE entries RENAME COLUMN vendor TO merchant')
}

export interface SqliteStore extends Store {`,
    ),
    edit(
      'src/store/sqlite-store.ts',
      code`
import type { Draft, Entry } from '../entry.ts'
import { formatId`,
      code`
import type { DatabaseSync } from 'node:sqlite'
import type { Draft, Entry } from '../entry.ts'
import { formatId`,
    ),
    shows(run('node --test test/store.test.ts'), 'fail 0'),
  ),
  act(
    'Green, and twice opening is harmless. Now the live file, and everything once.',
    shows(run('node src/cli.ts report --office lisbon --month 2026-03'), '€6,353.26'),
    shows(search('[Vv]endor', 'src'), 'vendor: entry.merchant'),
    shows(run('node --test --test-isolation=none'), 'fail 0'),
    run(`node -e 'fs.rmSync("scripts/rename-merchant.ts"); console.log("deleted")'`),
  ),
  say(`
    Renamed. What is left of "vendor" in \`src\` is the border and nothing else: three places in \`api-v1.ts\`,
    the bank's header, one error message and the migration of the column.

    Three things broke on the way, and only two of them would have been found by the existing tests: the bodies
    of \`/v1\` and the header. The error message and the live database were not covered; both are now.

    One known leftover: \`migrate-journal.ts\` reads journals with \`vendor\`. It has done its work here; on the
    server it must run *before* this version. Or I teach it both words.
  `),
  user(`
    It ran on the server yesterday evening, all 1,204 entries, one renumbered. Delete the script and renumber.ts
    with it.
  `),
  act(
    null,
    run(
      `node -e 'for (const path of ["scripts/migrate-journal.ts", "src/renumber.ts", "test/renumber.test.ts"]) { fs.rmSync(path); console.log("deleted", path) }'`,
    ),
    shows(search('renumber|migrate', '.'), 'no matches'),
  ),
  say(`
    Deleted, nothing refers to them. If somebody finds an old journal one day: the last version that can read it
    is the one from before this change.
  `),
]
