import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { monthBudget } from './budget.ts'
import { systemClock } from './clock.ts'
import { LedgerError } from './errors.ts'
import { importStatement } from './importer.ts'
import { createLedger } from './ledger.ts'
import { formatAmount } from './money.ts'
import { assertMonth } from './months.ts'
import { officeOf } from './offices.ts'
import { reconcile } from './reconcile.ts'
import { monthReport, reportCsv, reportText } from './report.ts'
import { createMemoryStore } from './store/memory-store.ts'

const usage = 'usage: tally import|report|reconcile|budget|list --office <id> [--month 2026-03] [--file <csv>] [--csv]'

function main(argv: readonly string[]): number {
  const [command = '', ...rest] = argv
  const { values } = parseArgs({
    args: rest,
    options: {
      office: { type: 'string' },
      month: { type: 'string' },
      file: { type: 'string' },
      csv: { type: 'boolean', default: false },
    },
  })
  const office = officeOf(values.office ?? '')
  const ledger = createLedger({ store: createMemoryStore(), clock: systemClock })
  const month = () => assertMonth(values.month ?? '')
  const file = () => readFileSync(values.file ?? '', 'utf8')

  switch (command) {
    case 'import': {
      const result = importStatement({ ledger, office, text: file() })
      console.log(`${result.imported} imported, ${result.duplicates} duplicates, ${result.rejected.length} rejected`)
      for (const row of result.rejected) console.log(`line ${row.line}: ${row.reason}`)
      return result.rejected.length === 0 ? 0 : 1
    }
    case 'report': {
      const report = monthReport(ledger, office, month())
      console.log(values.csv ? reportCsv(report) : reportText(report))
      return 0
    }
    case 'reconcile': {
      const result = reconcile({ ledger, office, month: month(), text: file() })
      console.log(`statement ${formatAmount(result.statementTotal, office.currency)}`)
      console.log(`ledger    ${formatAmount(result.ledgerTotal, office.currency)}`)
      console.log(`difference ${formatAmount(result.difference, office.currency)}`)
      console.log(`${result.missing.length} rows missing, ${result.extra.length} entries too many`)
      return result.difference === 0 && result.missing.length === 0 ? 0 : 1
    }
    case 'budget': {
      for (const line of monthBudget(ledger, office, month())) {
        console.log(`${line.category.padEnd(10)}${formatAmount(line.left, office.currency).padStart(16)} left`)
      }
      return 0
    }
    case 'list': {
      const entries = ledger.list({ office: office.id, ...(values.month === undefined ? {} : { month: month() }) })
      for (const entry of entries) {
        console.log(
          `${entry.id}  ${entry.postedAt}  ${formatAmount(entry.amount, entry.currency).padStart(12)}  ${entry.category.padEnd(8)}  ${entry.vendor}`,
        )
      }
      return 0
    }
    default:
      console.error(usage)
      return 2
  }
}

try {
  process.exitCode = main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof LedgerError)) throw error
  console.error(`tally: ${error.message} (${error.code})`)
  process.exitCode = 1
}
