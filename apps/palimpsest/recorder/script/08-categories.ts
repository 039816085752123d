import { act, code, type Episode, edit, read, run, say, search, shows, user } from '../steps.ts'

/** Long listings, and a choice that follows from a rule of the first turn. */
export const categoriesOfVendors: Episode = [
  user(`
    The reports show too much under "other". Print the whole March of both offices, find the vendors that land
    there, and propose categories. I decide.
  `),
  act(
    `
    The complete lists, because I want to see the vendors in context and not only their names.
    `,
    shows(run('node src/cli.ts list --office tokyo --month 2026-03'), 'Aoi Florist'),
    shows(run('node src/cli.ts list --office lisbon --month 2026-03'), 'Estúdio Lume'),
    read('src/rules.ts'),
  ),
  act(
    'Now only the ones without a rule.',
    shows(
      run(
        `node --input-type=module -e 'import { readFileSync } from "node:fs"; import { categoryOf } from "./src/rules.ts"; const sums = {}; for (const line of readFileSync("data/journal.jsonl", "utf8").trim().split("\\n")) { const { office, vendor, amount } = JSON.parse(line); if (categoryOf(vendor) !== "other") continue; sums[office + " " + vendor] ??= { count: 0, amount: 0 }; sums[office + " " + vendor].count += 1; sums[office + " " + vendor].amount += amount } console.table(sums)'`,
      ),
      'Aoi Florist',
      'Estúdio Lume',
    ),
    shows(search('[Ff]lorist|Lume', 'test'), 'importer.test.ts', 'rules.test.ts'),
  ),
  say(`
    Only two vendors have no rule, one for each office:

    - Tokyo, *Aoi Florist*: 22 payments, ¥105,239. Flowers for the reception, going by the regular rhythm. I
      propose \`office\`.
    - Lisbon, *Estúdio Lume*: 19 payments, €1,042.21. A photo studio? That could be \`office\` or stay
      \`other\`. I propose to ask.

    If I add rules, two existing tests have to move, because they use the florist as the example of an unknown
    vendor.
  `),
  user(`
    Florist is office. Estúdio Lume is the photographer for the catalogue, that stays other until marketing has
    its own category.
  `),
  act(
    null,
    edit('src/rules.ts', '/papelaria|bunbogu|livraria|print/', '/papelaria|bunbogu|livraria|print|florist/'),
    edit(
      'test/rules.test.ts',
      code`
  assert.equal(categoryOf('Aoi Florist'), 'other')`,
      code`
  assert.equal(categoryOf('Estúdio Lume'), 'other')`,
    ),
    edit(
      'test/rules.test.ts',
      "  assert.equal(categoryOf('BUNBOGU MORI'), 'office')",
      "  assert.equal(categoryOf('BUNBOGU MORI'), 'office')\n  assert.equal(categoryOf('Aoi Florist'), 'office')",
    ),
    edit(
      'test/importer.test.ts',
      "assert.ok(ledger.list({ vendor: 'florist' }).every((entry) => entry.category === 'other'))",
      "assert.ok(ledger.list({ vendor: 'florist' }).every((entry) => entry.category === 'office'))",
    ),
  ),
  act(
    null,
    shows(run('node --test test/rules.test.ts test/importer.test.ts'), 'fail 0'),
    shows(run('node src/cli.ts report --office tokyo --month 2026-03'), 'other        22'),
  ),
  say(`
    Rule and tests are in. As expected, the report of March still shows 22 payments under \`other\`: the
    category is decided when a row is booked and stored with the entry, and by rule 5 entries are never changed.

    So a choice for the florist's March: leave it, or reverse the 22 entries and book them again as \`office\`.
    The second is clean but makes 44 more lines.
  `),
  user('Leave March. The rule counts from April on.'),
  say(`
    Noted: the florist is \`other\` up to March 2026 and \`office\` from April on. No entries touched.
  `),
]
