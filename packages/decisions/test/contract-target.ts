import { join } from 'node:path'
import type { ContractTarget } from '@palimpsest/contract-tests'
import decisions from '../src/index.ts'
import { createSqliteDecisionStore } from '../src/sqlite.ts'

/** For `palimpsest-contract` too, which runs it from this file. */
const target: ContractTarget = {
  name: 'decisions, in a SQLite file',
  create: ({ storage, options, ...host }) =>
    decisions.create(
      { store: () => createSqliteDecisionStore({ path: join(storage, 'decisions.db') }), ...options },
      host,
    ),
  expectCapabilities: ['tools', 'selection', 'summarizer', 'persistence'],
}

export default target
