import type { Clock } from '../clock.ts'
import { type Category, categories, type Entry } from '../entry.ts'
import { LedgerError } from '../errors.ts'
import type { EntryFilter, Ledger } from '../ledger.ts'
import { assertMonth } from '../months.ts'
import { officeOf } from '../offices.ts'
import { monthReport } from '../report.ts'
import { categoryOf } from '../rules.ts'
import type { Route } from './router.ts'

/**
 * PUBLIC. The accountants' tool reads these bodies, and nobody can change that tool.
 * `test/api-v1.test.ts` is the contract.
 */
export function apiV1(options: { readonly ledger: Ledger; readonly clock: Clock }): Route[] {
  const { ledger, clock } = options
  return [
    {
      method: 'GET',
      path: '/v1/entries',
      handler: ({ query }) => {
        const entries = ledger.list(filterOf(query))
        return { status: 200, body: { count: entries.length, entries: entries.map(toWire) } }
      },
    },
    {
      method: 'GET',
      path: '/v1/entries/:id',
      handler: (_, { id = '' }) => ({ status: 200, body: toWire(ledger.get(id)) }),
    },
    {
      method: 'POST',
      path: '/v1/entries',
      handler: ({ body }) => {
        const fields = (body ?? {}) as Record<string, unknown>
        const office = officeOf(String(fields.office))
        const vendor = String(fields.vendor ?? '')
        const entry = ledger.post({
          office: office.id,
          postedAt: clock.now().toISOString(),
          amount: Number(fields.amount),
          currency: office.currency,
          vendor,
          category: (fields.category as Category | undefined) ?? categoryOf(vendor),
          note: String(fields.note ?? ''),
        })
        return { status: 201, body: toWire(entry) }
      },
    },
    {
      method: 'POST',
      path: '/v1/entries/:id/reverse',
      handler: ({ body }, { id = '' }) => {
        const fields = (body ?? {}) as Record<string, unknown>
        return { status: 201, body: toWire(ledger.reverse(id, String(fields.note ?? ''))) }
      },
    },
    {
      method: 'GET',
      path: '/v1/report',
      handler: ({ query }) => {
        const office = officeOf(query.get('office') ?? '')
        const report = monthReport(ledger, office, assertMonth(query.get('month') ?? ''))
        return {
          status: 200,
          body: { office: office.id, month: report.month, lines: report.lines, total: report.total },
        }
      },
    },
  ]
}

function filterOf(query: URLSearchParams): EntryFilter {
  const office = query.get('office')
  const month = query.get('month')
  const category = query.get('category')
  const vendor = query.get('vendor')
  if (category !== null && !(categories as readonly string[]).includes(category)) {
    throw new LedgerError('bad-request', `there is no category "${category}"`)
  }
  return {
    ...(office === null ? {} : { office: officeOf(office).id }),
    ...(month === null ? {} : { month: assertMonth(month) }),
    ...(category === null ? {} : { category: category as Category }),
    ...(vendor === null ? {} : { vendor }),
  }
}

function toWire(entry: Entry): Record<string, unknown> {
  return {
    id: entry.id,
    office: entry.office,
    posted_at: entry.postedAt,
    amount: entry.amount,
    currency: entry.currency,
    vendor: entry.vendor,
    category: entry.category,
    note: entry.note,
    reverses: entry.reverses ?? null,
  }
}
