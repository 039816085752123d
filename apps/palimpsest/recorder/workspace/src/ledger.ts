import type { Clock } from './clock.ts'
import { type Category, type Draft, type Entry, validateDraft } from './entry.ts'
import { LedgerError } from './errors.ts'
import { createIdSequence } from './ids.ts'
import { monthOf } from './months.ts'
import type { OfficeId } from './offices.ts'
import type { Store } from './store/store.ts'

export interface EntryFilter {
  readonly office?: OfficeId
  readonly month?: string
  readonly category?: Category
  /** Part of the vendor's name, in any case. */
  readonly vendor?: string
}

export interface Ledger {
  post(draft: Draft): Entry
  postAll(drafts: readonly Draft[]): readonly Entry[]
  /** Books the opposite amount and points back at the entry. */
  reverse(id: string, note: string): Entry
  get(id: string): Entry
  list(filter?: EntryFilter): readonly Entry[]
}

export function createLedger(options: { readonly store: Store; readonly clock: Clock }): Ledger {
  const { store, clock } = options
  const ids = createIdSequence()

  function postAll(drafts: readonly Draft[]): readonly Entry[] {
    const entries = drafts.map((draft) => ({ id: ids.next(), ...validateDraft(draft) }))
    store.append(entries)
    return entries
  }

  function post(draft: Draft): Entry {
    const [entry] = postAll([draft])
    if (entry === undefined) throw new LedgerError('bad-entry', 'nothing was posted')
    return entry
  }

  function get(id: string): Entry {
    const entry = store.get(id)
    if (entry === undefined) throw new LedgerError('not-found', `there is no entry ${id}`)
    return entry
  }

  return {
    post,
    postAll,
    get,
    reverse(id, note) {
      const entry = get(id)
      if (store.all().some((other) => other.reverses === id)) {
        throw new LedgerError('already-reversed', `${id} is already reversed`)
      }
      const { id: _, source: __, ...rest } = entry
      return post({ ...rest, amount: -entry.amount, postedAt: clock.now().toISOString(), note, reverses: id })
    },
    list(filter = {}) {
      const vendor = filter.vendor?.toLowerCase()
      return store.all().filter((entry) => {
        if (filter.office !== undefined && entry.office !== filter.office) return false
        if (filter.month !== undefined && monthOf(entry.postedAt) !== filter.month) return false
        if (filter.category !== undefined && entry.category !== filter.category) return false
        return vendor === undefined || entry.vendor.toLowerCase().includes(vendor)
      })
    },
  }
}
