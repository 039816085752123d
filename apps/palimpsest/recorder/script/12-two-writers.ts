import { act, code, type Episode, read, run, say, search, shows, user, write } from '../steps.ts'

/** The assumption behind the first decision turns out to be false. */
export const twoWriters: Episode = [
  user(`
    New trouble. Operations moved the import to a cron job at 02:00, on the same machine. This morning two
    different payments have the id E-000412. The accountants' tool shows one of them and hides the other. How
    can that be?
  `),
  act(
    `
    A cron job is a second process, and the service keeps running meanwhile. I have a suspicion: both read the
    journal at their own start and count on from what they saw. I would rather see it than believe it.
    `,
    read('src/ledger.ts', 29, 45),
    write(
      'scripts/two-writers.ts',
      code`
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { systemClock } from '../src/clock.ts'
import type { Draft } from '../src/entry.ts'
import { createLedger } from '../src/ledger.ts'
import { openJournalStore } from '../src/store/journal-store.ts'

/** Two ledgers on one journal, as the service and the nightly import have it. */
const path = 'tmp/two-writers/journal.jsonl'
mkdirSync('tmp/two-writers', { recursive: true })
copyFileSync('data/journal.jsonl', path)
writeFileSync('tmp/two-writers.env', 'TALLY_DATA_DIR=./tmp/two-writers\n')

const service = createLedger({ store: openJournalStore(path), clock: systemClock })
const nightly = createLedger({ store: openJournalStore(path), clock: systemClock })
const base: Draft = {
  office: 'lisbon',
  postedAt: '2026-04-14T02:00:00.000Z',
  amount: 500,
  currency: 'EUR',
  vendor: '',
  category: 'other',
  note: '',
}
for (const round of [1, 2]) {
  const a = service.post({ ...base, vendor: \`service \${round}\` })
  const b = nightly.post({ ...base, vendor: \`nightly \${round}\` })
  console.log(a.id, a.vendor, '|', b.id, b.vendor)
}
console.log('service knows', service.list().length, 'entries, nightly knows', nightly.list().length)
console.log('the file has', readFileSync(path, 'utf8').trim().split('\n').length)
`,
    ),
    shows(run('node scripts/two-writers.ts'), 'E-000355 service 1 | E-000355 nightly 1', 'the file has 358'),
  ),
  act(
    'Seen. What does the next start make of such a file?',
    shows(
      run(
        `node --input-type=module -e 'import { openJournalStore } from "./src/store/journal-store.ts"; const store = openJournalStore("tmp/two-writers/journal.jsonl"); console.log(store.all().length, "entries;", "E-000355 is", store.get("E-000355").vendor)'`,
      ),
      'E-000355 is nightly 1',
    ),
    read('tmp/two-writers/journal.jsonl', 354, 358),
    search('openJournalStore', 'src'),
  ),
  say(`
    Confirmed, and worse than the double id:

    - Each process reads the journal once, at its start, and hands out ids from its own counter. Two processes,
      two counters: E-000355 twice, E-000356 twice.
    - In memory the later line wins. \`get("E-000355")\` finds the payment of the nightly run; the one of the
      service is in the file and in no answer. That is what the accountants see.
    - Until it is restarted, the service does not know the night's entries at all. So it also takes their rows
      for new.

    The journal was chosen on "there is one process". That was true then. Three ways on:

    1. **A lock file.** Keeps the journal. Each writer must lock, read what is new, write, unlock. We would be
       writing a small database.
    2. **One writer.** The cron job calls the service instead of opening the file. Small, but the service must
       then always run, and every future job has to know the rule.
    3. **SQLite after all.** Ids handed out inside a transaction, a unique key that refuses a double id, and
       readers that see what the other process wrote. \`Store\` stays, one new file behind it.

    I would take the third.
  `),
]
