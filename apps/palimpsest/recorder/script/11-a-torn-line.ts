import { act, code, type Episode, edit, read, run, say, shows, user, write } from '../steps.ts'

/** The journal's first weakness: a power cut in the middle of a line. */
export const aTornLine: Episode = [
  user(`
    Power cut in the server room last night. tally does not come up any more. This is all it says:

        SyntaxError: Unterminated string in JSON at position 131 (line 1 column 132)
            at JSON.parse (<anonymous>)
            at readJournal (src/store/journal-store.ts:33:63)

    First make it start, then make sure that it starts the next time.
  `),
  act(
    `
    That reads like a line that was only half written. To work on it without your data I make my own torn
    journal: a copy of the one here, 40 bytes shorter.
    `,
    write(
      'scripts/tear-journal.ts',
      code`
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

/** A copy of the journal that ends in the middle of a line, as after a power cut. */
const text = readFileSync('data/journal.jsonl')
mkdirSync('tmp/torn', { recursive: true })
writeFileSync('tmp/torn/journal.jsonl', text.subarray(0, text.length - 40))
writeFileSync('tmp/torn.env', 'TALLY_DATA_DIR=./tmp/torn\n')
console.log('tmp/torn/journal.jsonl ends with:', text.subarray(text.length - 60, text.length - 40).toString())
`,
    ),
    run('node scripts/tear-journal.ts'),
    shows(
      run('node --env-file=tmp/torn.env src/cli.ts report --office lisbon --month 2026-03', 1),
      'SyntaxError: Unterminated string in JSON',
      'readJournal',
    ),
    read('src/store/journal-store.ts'),
  ),
  say(`
    Reproduced: the same error at the same place. \`fsync\` protects what was reported as booked; it cannot help
    a line that was being written when the power went.

    To make it start *now*: remove the last, incomplete line of \`data/journal.jsonl\`. It was never
    acknowledged, so nothing that somebody was told is booked gets lost; importing the statement again brings
    the row back.

    For the next time I would do two things. A last line without a line break is dropped at start. A broken line
    in the *middle* is something else, that is damage, and there the start should fail, with the line number
    instead of a stack trace. Agreed?
  `),
  user(`
    Agreed. But do not throw the torn piece away, put it beside the journal, somebody may want to look at it.
  `),
  act(
    null,
    edit(
      'test/journal-store.test.ts',
      code`
  it('goes on counting after a restart', () => {`,
      code`
  it('drops a line that a power cut tore', () => {
    const before = openJournalStore(path)
    createLedger({ store: before, clock }).postAll([lunch(), lunch()])
    before.close()
    truncateSync(path, statSync(path).size - 40)
    const after = openJournalStore(path)
    assert.deepEqual(after.all().map((entry) => entry.id), ['E-000001'])
    after.close()
  })

  it('can be written to after a torn line', () => {
    const before = openJournalStore(path)
    createLedger({ store: before, clock }).postAll([lunch(), lunch()])
    before.close()
    truncateSync(path, statSync(path).size - 40)
    const torn = openJournalStore(path)
    createLedger({ store: torn, clock }).post(lunch({ note: 'again' }))
    torn.close()
    const after = openJournalStore(path)
    assert.deepEqual(after.all().map((entry) => entry.note), ['', 'again'])
    after.close()
  })

  it('names a line that is broken in the middle', () => {
    const before = openJournalStore(path)
    createLedger({ store: before, clock }).postAll([lunch(), lunch()])
    before.close()
    writeFileSync(path, readFileSync(path, 'utf8').replace('"E-000001"', '"E-0000'))
    assert.throws(() => openJournalStore(path), { code: 'bad-journal', message: /^line 1 of the journal/ })
  })

  it('goes on counting after a restart', () => {`,
    ),
    edit(
      'test/journal-store.test.ts',
      "import { mkdtempSync, readFileSync, rmSync } from 'node:fs'",
      "import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'",
    ),
    edit(
      'src/store/journal-store.ts',
      code`
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Entry)
}
`,
      code`
  const lines = readFileSync(path, 'utf8').split('\n')
  // What stands behind the last line break was being written when the power went. It was never acknowledged.
  lines.pop()
  return lines.map((line, index) => parseLine(line, index + 1))
}

function parseLine(line: string, number: number): Entry {
  try {
    return JSON.parse(line) as Entry
  } catch {
    throw new LedgerError('bad-journal', \`line \${number} of the journal is not JSON; restore the file from the backup\`)
  }
}
`,
    ),
    edit(
      'src/store/journal-store.ts',
      "import type { Entry } from '../entry.ts'",
      "import type { Entry } from '../entry.ts'\nimport { LedgerError } from '../errors.ts'",
    ),
  ),
  act(
    null,
    edit('src/errors.ts', "  | 'bad-entry'", "  | 'bad-entry'\n  | 'bad-journal'"),
    shows(
      run('node --test test/journal-store.test.ts', 1),
      'fail 1',
      'can be written to after a torn line',
      'line 2 of the journal',
    ),
  ),
  act(
    `
    One red, and a nasty one. Reading skips the torn piece, but it still stands in the file without a line
    break, and the next entry is appended right behind it. The first start after the power cut works, the second
    one fails, with a *good* entry lost inside the broken line. So the piece has to leave the file before
    anything is written, which is what you asked for anyway.
    `,
    edit(
      'src/store/journal-store.ts',
      code`
  const lines = readFileSync(path, 'utf8').split('\n')
  // What stands behind the last line break was being written when the power went. It was never acknowledged.
  lines.pop()
  return lines.map((line, index) => parseLine(line, index + 1))
}
`,
      code`
  const text = readFileSync(path, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) setTornPieceAside(path, whole, text.slice(whole.length))
  const lines = whole.split('\n').slice(0, -1)
  return lines.map((line, index) => parseLine(line, index + 1))
}

/**
 * What stands behind the last line break was being written when the power went. It was never acknowledged, and the next
 * entry must not be glued to it.
 */
function setTornPieceAside(path: string, whole: string, torn: string): void {
  appendFileSync(\`\${path}.torn\`, \`\${torn}\n\`)
  truncateSync(path, Buffer.byteLength(whole))
}
`,
    ),
    edit(
      'src/store/journal-store.ts',
      "import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'",
      code`
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeSync,
} from 'node:fs'`,
    ),
    shows(run('node --test test/journal-store.test.ts'), 'fail 0'),
  ),
  act(
    'And the torn copy from above, the way the server will see it: once, and once more.',
    shows(
      run('node --env-file=tmp/torn.env src/cli.ts report --office lisbon --month 2026-03'),
      'Lisbon 2026-03',
    ),
    shows(
      run(
        'node --env-file=tmp/torn.env src/cli.ts import --office lisbon --file fixtures/lisbon-2026-03.csv',
      ),
      '1 imported',
    ),
    shows(run('node --env-file=tmp/torn.env src/cli.ts report --office lisbon --month 2026-03'), '€6,353.26'),
    read('tmp/torn/journal.jsonl.torn'),
  ),
  say(`
    It starts, and it starts again. The torn piece lies in \`journal.jsonl.torn\`, importing the statement
    brought the one lost row back, and the total of Lisbon's March is €6,353.26 as before the cut.

    A broken line in the middle stops the start with "line 1 of the journal is not JSON; restore the file from
    the backup".
  `),
  user('Up again, thank you. I did not know that I wanted the second-start test until I read it.'),
  say(`
    That one came from asking what the *next* write does to a file that was only read so far. I keep it in mind
    for every other store.
  `),
]
