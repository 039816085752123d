import { act, code, type Episode, edit, read, run, say, search, shows, user, write } from '../steps.ts'

const command = (name: string, body: string) => write(`src/commands/${name}.ts`, body)

/** Refactoring: the command line becomes one file for each command, and gets tests of its own. */
export const commandsOfTheCli: Episode = [
  user(`
    Now "tally split". And before you hang another case into that switch: cli.ts is getting long and has no
    tests at all. One file for each command, a table, and tests that start the real program. Behaviour stays as
    it is, unless you find something wrong; then tell me.
  `),
  act(
    'The whole file, and what the tests know of it so far.',
    read('src/cli.ts'),
    shows(search('cli', 'test'), 'no matches'),
  ),
  act(
    `
    Nothing. So the tests come first, against the program as it stands: whatever they pin now must be the same
    after the move. Each test gets a data folder of its own.
    `,
    write(
      'test/cli.test.ts',
      code`
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url))
const march = fileURLToPath(new URL('../fixtures/lisbon-2026-03.csv', import.meta.url))

describe('tally', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tally-'))
  })

  afterEach(() => rmSync(folder, { recursive: true }))

  function tally(...args: string[]) {
    const env = { ...process.env, TALLY_DATA_DIR: folder }
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8', env })
    return { status, stdout, stderr }
  }

  it('imports in one run and reports in the next', () => {
    assert.deepEqual(tally('import', '--office', 'lisbon', '--file', march), {
      status: 0,
      stdout: '181 imported, 0 duplicates, 0 rejected\n',
      stderr: '',
    })
    assert.match(tally('report', '--office', 'lisbon', '--month', '2026-03').stdout, /total +€6,353\.26/)
    assert.match(tally('report', '--office', 'lisbon', '--month', '2026-03', '--csv').stdout, /^category,count,amount\n/)
  })

  it('agrees with the statement that it has just imported', () => {
    tally('import', '--office', 'lisbon', '--file', march)
    const { status, stdout } = tally('reconcile', '--office', 'lisbon', '--month', '2026-03', '--file', march)
    assert.equal(status, 0)
    assert.match(stdout, /difference €0\.00/)
  })

  it('prints its usage for an unknown command', () => {
    const { status, stderr } = tally('dance', '--office', 'lisbon')
    assert.equal(status, 2)
    assert.match(stderr, /^usage: tally import\|report\|/)
  })

  it('says which option is missing', () => {
    assert.deepEqual(tally('report', '--month', '2026-03'), {
      status: 1,
      stdout: '',
      stderr: 'tally: --office is missing (bad-request)\n',
    })
    assert.equal(tally('report', '--office', 'lisbon').stderr, 'tally: --month is missing (bad-request)\n')
  })

  it('says which file is missing', () => {
    const { status, stderr } = tally('import', '--office', 'lisbon', '--file', 'nowhere.csv')
    assert.equal(status, 1)
    assert.equal(stderr, 'tally: there is no file nowhere.csv (bad-request)\n')
  })
})
`,
    ),
    shows(run('node --test test/cli.test.ts', 1), 'fail 2', 'there is no office', 'ENOENT'),
  ),
  say(`
    Five tests, two red. Those two are the "something wrong" that I should tell you about; I wrote them the way
    I think it ought to be:

    - Without \`--office\` it says \`there is no office ""\`. True, but nobody understands it. I would say
      \`--office is missing\`.
    - A file that does not exist ends in a Node stack trace with ENOENT. I would say \`there is no file
      nowhere.csv\`.
  `),
  user('Both right, change them. Exit code stays 1.'),
  act(
    `
    Then the move. What a command may use is a context; a command prints and returns the exit code.
    `,
    command(
      'command',
      code`
import type { Ledger } from '../ledger.ts'
import type { Office } from '../offices.ts'

/** What a command works with. Options that it does not ask for need not be there. */
export interface Context {
  readonly ledger: Ledger
  readonly office: Office
  /** The value of \`--month\`, checked. */
  month(): string
  /** Whether there is a \`--month\`. */
  readonly hasMonth: boolean
  /** The text of \`--file\`. */
  file(): string
  /** The value of any other option; an error if it is missing. */
  option(name: 'id' | 'into'): string
  readonly csv: boolean
  print(line: string): void
}

/** Prints its answer and returns the exit code. */
export type Command = (context: Context) => number
`,
    ),
    command(
      'import',
      code`
import { importStatement } from '../importer.ts'
import type { Command } from './command.ts'

export const importCommand: Command = ({ ledger, office, file, print }) => {
  const { imported, duplicates, rejected } = importStatement({ ledger, office, text: file() })
  print(\`\${imported} imported, \${duplicates} duplicates, \${rejected.length} rejected\`)
  for (const row of rejected) print(\`line \${row.line}: \${row.reason}\`)
  return rejected.length === 0 ? 0 : 1
}
`,
    ),
    command(
      'report',
      code`
import { monthReport, reportCsv, reportText } from '../report.ts'
import type { Command } from './command.ts'

export const reportCommand: Command = ({ ledger, office, month, csv, print }) => {
  const report = monthReport(ledger, office, month())
  print(csv ? reportCsv(report) : reportText(report))
  return 0
}
`,
    ),
    command(
      'reconcile',
      code`
import { formatAmount } from '../money.ts'
import { reconcile } from '../reconcile.ts'
import type { Command } from './command.ts'

export const reconcileCommand: Command = ({ ledger, office, month, file, print }) => {
  const result = reconcile({ ledger, office, month: month(), text: file() })
  print(\`statement \${formatAmount(result.statementTotal, office.currency)}\`)
  print(\`ledger    \${formatAmount(result.ledgerTotal, office.currency)}\`)
  print(\`difference \${formatAmount(result.difference, office.currency)}\`)
  print(\`\${result.missing.length} rows missing, \${result.extra.length} entries too many\`)
  return result.difference === 0 && result.missing.length === 0 ? 0 : 1
}
`,
    ),
  ),
  act(
    null,
    command(
      'budget',
      code`
import { monthBudget } from '../budget.ts'
import { formatAmount } from '../money.ts'
import type { Command } from './command.ts'

export const budgetCommand: Command = ({ ledger, office, month, print }) => {
  for (const line of monthBudget(ledger, office, month())) {
    const left = formatAmount(line.left, office.currency).padStart(16)
    print(\`\${line.category.padEnd(10)}\${left} left\${line.level === 'ok' ? '' : \`  \${line.level}\`}\`)
  }
  return 0
}
`,
    ),
    command(
      'approvals',
      code`
import { monthApprovals } from '../approvals.ts'
import { formatAmount } from '../money.ts'
import type { Command } from './command.ts'

export const approvalsCommand: Command = ({ ledger, office, month, print }) => {
  for (const entry of monthApprovals(ledger, office, month())) {
    print(\`\${entry.id}  \${formatAmount(entry.amount, entry.currency).padStart(12)}  \${entry.vendor}\`)
  }
  return 0
}
`,
    ),
    command(
      'list',
      code`
import { formatAmount } from '../money.ts'
import type { Command } from './command.ts'

export const listCommand: Command = ({ ledger, office, month, hasMonth, print }) => {
  for (const entry of ledger.list({ office: office.id, ...(hasMonth ? { month: month() } : {}) })) {
    const amount = formatAmount(entry.amount, entry.currency).padStart(12)
    print(\`\${entry.id}  \${entry.postedAt}  \${amount}  \${entry.category.padEnd(8)}  \${entry.vendor}\`)
  }
  return 0
}
`,
    ),
    command(
      'split',
      code`
import { categories } from '../entry.ts'
import { LedgerError } from '../errors.ts'
import { formatAmount } from '../money.ts'
import type { Command } from './command.ts'

/** \`--into lodging,meals,travel\`: equal parts, one for each category. */
export const splitCommand: Command = ({ ledger, option, print }) => {
  const into = option('into')
    .split(',')
    .map((name) => {
      const category = categories.find((known) => known === name)
      if (category === undefined) throw new LedgerError('bad-request', \`there is no category "\${name}"\`)
      return category
    })
  for (const part of ledger.split(option('id'), into)) {
    print(\`\${part.id}  \${formatAmount(part.amount, part.currency).padStart(12)}  \${part.category}\`)
  }
  return 0
}
`,
    ),
  ),
  act(
    `
    The table, and what is left of \`cli.ts\`: options, context, one place that turns errors into a line.
    `,
    command(
      'index',
      code`
import { approvalsCommand } from './approvals.ts'
import { budgetCommand } from './budget.ts'
import type { Command } from './command.ts'
import { importCommand } from './import.ts'
import { listCommand } from './list.ts'
import { reconcileCommand } from './reconcile.ts'
import { reportCommand } from './report.ts'
import { splitCommand } from './split.ts'

/** Every command by its name, in the order of the usage line. */
export const commands: ReadonlyMap<string, Command> = new Map([
  ['import', importCommand],
  ['report', reportCommand],
  ['reconcile', reconcileCommand],
  ['budget', budgetCommand],
  ['approvals', approvalsCommand],
  ['split', splitCommand],
  ['list', listCommand],
])
`,
    ),
    write(
      'src/cli.ts',
      code`
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from './clock.ts'
import { commands } from './commands/index.ts'
import { readConfig } from './config.ts'
import { LedgerError } from './errors.ts'
import { createLedger } from './ledger.ts'
import { assertMonth } from './months.ts'
import { officeOf } from './offices.ts'
import { openJournalStore } from './store/journal-store.ts'

const text = { type: 'string' } as const

function main(argv: readonly string[]): number {
  const [name = '', ...rest] = argv
  const command = commands.get(name)
  if (command === undefined) {
    console.error(\`usage: tally \${[...commands.keys()].join('|')} --office <id> [options]\`)
    return 2
  }
  const { values } = parseArgs({
    args: rest,
    options: { office: text, month: text, file: text, id: text, into: text, csv: { type: 'boolean', default: false } },
  })
  const option = (key: 'office' | 'month' | 'file' | 'id' | 'into') => {
    const value = values[key]
    if (value === undefined) throw new LedgerError('bad-request', \`--\${key} is missing\`)
    return value
  }
  const office = officeOf(option('office'))
  const store = openJournalStore(join(readConfig(process.env).dataDir, 'journal.jsonl'))
  try {
    return command({
      ledger: createLedger({ store, clock: systemClock }),
      office,
      month: () => assertMonth(option('month')),
      hasMonth: values.month !== undefined,
      file: () => readText(option('file')),
      option,
      csv: values.csv,
      print: (line) => console.log(line),
    })
  } finally {
    store.close()
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new LedgerError('bad-request', \`there is no file \${path}\`)
  }
}

try {
  process.exitCode = main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof LedgerError)) throw error
  console.error(\`tally: \${error.message} (\${error.code})\`)
  process.exitCode = 1
}
`,
    ),
    shows(run('node --test test/cli.test.ts'), 'fail 0'),
    shows(
      run('node src/cli.ts budget --office tokyo --month 2026-03'),
      'office            -¥60,629 left  over',
    ),
  ),
  act(
    `
    All five green, and the budget of Tokyo prints what it printed before. Now \`split\` from the outside, in a
    test and not on your data.
    `,
    edit(
      'test/cli.test.ts',
      code`
  it('prints its usage for an unknown command', () => {`,
      code`
  it('splits an entry', () => {
    tally('import', '--office', 'lisbon', '--file', march)
    assert.equal(
      tally('split', '--office', 'lisbon', '--id', 'E-000001', '--into', 'software,office').stdout,
      'E-000183        €14.97  software\nE-000184        €14.97  office\n',
    )
    assert.match(tally('report', '--office', 'lisbon', '--month', '2026-03').stdout, /total +€6,353\.26/)
    assert.match(tally('split', '--office', 'lisbon', '--id', 'E-000001', '--into', 'office').stderr, /already-reversed/)
  })

  it('prints its usage for an unknown command', () => {`,
    ),
    shows(run('node --test test/cli.test.ts'), 'fail 0', 'splits an entry'),
    shows(run('node src/cli.ts sing', 2), 'usage: tally import|report|reconcile|budget|approvals|split|list'),
  ),
  say(`
    \`cli.ts\` is down to options and errors, each command has its own file of ten to twenty lines, and six
    tests start the real program. \`tally split --id E-000012 --into lodging,meals,travel\` works, and the
    month's total stays what it was.

    What changed for a user: the two error messages that you approved, and the usage line, which now comes out
    of the table.
  `),
]
