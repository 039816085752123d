import { act, code, type Episode, edit, read, run, say, shows, user } from '../steps.ts'

/** The batch size is fixed, and its first implementation loses the last batch. */
export const batches: Episode = [
  user(`
    173 fsyncs on that disk is what made the old importer feel dead. Post in batches of 200 rows. Not more: 500
    stalled the service for seconds on that box when it was tried, and the bank's export comes in pages of 200,
    so an import that breaks off breaks off at a page. Make it a named constant.
  `),
  act(
    '200, with the reason beside it. How does the loop look now, and which tests count calls?',
    read('src/importer.ts', 1, 36),
    read('test/importer.test.ts', 1, 30),
  ),
  act(
    `
    The loop decides and posts in one go. I separate the two: first collect the drafts that are new, then post
    them in slices.
    `,
    edit(
      'src/importer.ts',
      code`
  let imported = 0
  let duplicates = 0
  for (const row of statement.rows) {
    const source = fingerprint(office, row)
    if (known.has(source)) {
      duplicates += 1
      continue
    }
    known.add(source)
    ledger.post(draftOf(office, row, source))
    imported += 1
  }
  return { imported, duplicates, rejected: statement.rejected }
}
`,
      code`
  const drafts: Draft[] = []
  for (const row of statement.rows) {
    const source = fingerprint(office, row)
    if (known.has(source)) continue
    known.add(source)
    drafts.push(draftOf(office, row, source))
  }
  for (let start = 0; start + BATCH_SIZE <= drafts.length; start += BATCH_SIZE) {
    ledger.postAll(drafts.slice(start, start + BATCH_SIZE))
  }
  return {
    imported: drafts.length,
    duplicates: statement.rows.length - drafts.length,
    rejected: statement.rejected,
  }
}
`,
    ),
    edit(
      'src/importer.ts',
      'export interface ImportResult {',
      code`
/**
 * Rows that are booked with one write. The bank's export has pages of 200 rows, so an import that breaks off breaks off
 * at a page; 500 stalled the service for seconds.
 */
export const BATCH_SIZE = 200

export interface ImportResult {`,
    ),
    edit(
      'test/importer.test.ts',
      code`
  it('says which column is missing', () => {`,
      code`
  it('books in batches of 200', () => {
    const sizes: number[] = []
    const store = createMemoryStore()
    const counting = { ...store, append: (entries: readonly Entry[]) => (sizes.push(entries.length), store.append(entries)) }
    const rows = Array.from({ length: 412 }, (_, at) => \`2026-03-05T09:00:00+00:00,Metro Colinas,1.65,\${at}\`)
    const text = ['booked_at,vendor,amount,reference', ...rows, ''].join('\n')
    importStatement({ ledger: createLedger({ store: counting, clock }), office: lisbon, text })
    assert.deepEqual(sizes, [200, 200, 12])
  })

  it('says which column is missing', () => {`,
    ),
    edit(
      'test/importer.test.ts',
      code`
import { fixture, newLedger } from './helpers.ts'`,
      code`
import type { Entry } from '../src/entry.ts'
import { createLedger } from '../src/ledger.ts'
import { createMemoryStore } from '../src/store/memory-store.ts'
import { clock, fixture, newLedger } from './helpers.ts'`,
    ),
  ),
  act(null, shows(run('node --test test/importer.test.ts', 1), 'fail 4', '0 !== 181')),
  say(`
    Red, and my own doing. \`start + BATCH_SIZE <= drafts.length\` only posts full batches: with 181 rows it
    posts nothing at all while \`imported\` proudly says 181. The count came from what was collected, not from
    what was booked, so the result object lied as well. I fix both: the loop, and the count.

    And one test that should be red is green: "puts vendors into categories" uses \`every\`, which is true for
    an empty list. I give it a count to stand on.
  `),
  user('Good that you count what was booked. Go on.'),
  act(
    null,
    edit(
      'src/importer.ts',
      code`
  for (let start = 0; start + BATCH_SIZE <= drafts.length; start += BATCH_SIZE) {
    ledger.postAll(drafts.slice(start, start + BATCH_SIZE))
  }
  return {
    imported: drafts.length,
    duplicates`,
      code`
  let imported = 0
  for (let start = 0; start < drafts.length; start += BATCH_SIZE) {
    imported += ledger.postAll(drafts.slice(start, start + BATCH_SIZE)).length
  }
  return {
    imported,
    duplicates`,
    ),
    edit(
      'test/importer.test.ts',
      "    assert.ok(ledger.list({ vendor: 'taxi' }).every(",
      code`
    assert.notEqual(ledger.list({ vendor: 'taxi' }).length, 0)
    assert.ok(ledger.list({ vendor: 'taxi' }).every(`,
    ),
    shows(run('node --test test/importer.test.ts'), 'fail 0'),
  ),
  say(`
    Green: 412 rows make batches of 200, 200 and 12, and \`imported\` is now the number of entries that the
    ledger returned.
  `),
  user(`
    東京オフィスからの依頼です。4月分から銀行の明細のヘッダーが日本語（取引日時, 店名, 金額, 照会番号）に変わります。 英語のヘッダーもそのまま読めるようにしてください。サンプル: test に入れて構いません 🙏
    (Short: the Tokyo bank switches to Japanese headers from April; both must work.)
  `),
  act(
    `
    かしこまりました。 The header row is looked up by name in one place, so aliases are enough. I check that place and
    write the test with the sample headers.
    `,
    read('src/statement.ts', 27, 50),
    edit(
      'test/importer.test.ts',
      code`
  it('says which column is missing', () => {`,
      code`
  it('reads the Japanese header of the bank in Tokyo', () => {
    const text = '\uFEFF取引日時,店名,金額,照会番号\r\n2026-04-03T12:05:00+09:00,弁当ひばり,"1,780",0001-aa\r\n'
    const ledger = newLedger()
    assert.equal(importStatement({ ledger, office: tokyo, text }).imported, 1)
    assert.equal(ledger.list({ vendor: '弁当' })[0]?.amount, 1_780)
  })

  it('says which column is missing', () => {`,
    ),
    edit(
      'src/statement.ts',
      "const columns = ['booked_at', 'vendor', 'amount', 'reference'] as const",
      code`
/** The columns that we need, each with the headers under which the banks deliver it. */
const columns = [
  ['booked_at', '取引日時'],
  ['vendor', '店名'],
  ['amount', '金額'],
  ['reference', '照会番号'],
] as const`,
    ),
    edit(
      'src/statement.ts',
      code`
  const positions = columns.map((column) => header.indexOf(column))
  const missing = columns.filter((_, index) => positions[index] === -1)`,
      code`
  const positions = columns.map((names) => header.findIndex((name) => (names as readonly string[]).includes(name)))
  const missing = columns.map(([name]) => name).filter((_, index) => positions[index] === -1)`,
    ),
  ),
  act(
    null,
    shows(run('node --test test/importer.test.ts', 1), 'the statement has no column booked_at', 'fail 1'),
  ),
  act(
    `
    Only \`booked_at\` is missing, the first column. I put a byte order mark in front of the sample because
    banks that write Windows line ends usually write one, and that is what hides it: the header is
    "\\uFEFF取引日時". The mark is not part of the text, so \`parseCsv\` should drop it for every file.
    `,
    edit(
      'src/csv.ts',
      code`
  let quoted = false
  for (let index = 0; index < text.length; index += 1) {`,
      code`
  let quoted = false
  // A byte order mark is not part of the first field.
  const start = text.startsWith('\uFEFF') ? 1 : 0
  for (let index = start; index < text.length; index += 1) {`,
    ),
    edit(
      'test/csv.test.ts',
      code`
  it('refuses a quote that is never closed', () => {`,
      code`
  it('skips a byte order mark', () => {
    assert.deepEqual(parseCsv('\uFEFFa,b\n'), [['a', 'b']])
  })

  it('refuses a quote that is never closed', () => {`,
    ),
    shows(run('node --test test/csv.test.ts test/importer.test.ts'), 'fail 0'),
  ),
  say(`
    日本語のヘッダーにも対応しました。 Both headers work, in any column order, with or without a byte order mark.

    One question that I leave to you: with Japanese vendor names the category rules find nothing, "弁当ひばり" lands
    in \`other\`. The rules would need Japanese patterns as well.
  `),
  user(`
    In Tokyo they will keep the romanised names in the 店名 column, they told me. Leave the rules alone for now.
  `),
  say(`
    Then nothing to do there. I keep the Japanese name in the test only, as a check that other scripts pass
    through unharmed.
  `),
]
