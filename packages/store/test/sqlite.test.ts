import { join } from 'node:path'
import { createSqliteStore } from '@palimpsest/store'
import { runStoreCase, type StoreTarget, storeCases } from '@palimpsest/store/suite'
import { describe, it } from 'vitest'

const open = (folder: string) => createSqliteStore({ path: join(folder, 'store.db') })
const targets: readonly StoreTarget[] = [
  { name: 'a file', create: open, reopen: open },
  { name: 'memory', create: () => createSqliteStore({ path: ':memory:' }) },
]

describe.each(targets)('a store in $name', (target) => {
  const cases = storeCases.filter(({ requires }) => requires !== 'reopen' || target.reopen !== undefined)
  it.each(cases)('$id $title', (one) => runStoreCase(one, target))
})
