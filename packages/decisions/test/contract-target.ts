import { join } from 'node:path'
import type { ContractTarget } from '@palimpsest/contract-tests'
import { createSqliteStore } from '@palimpsest/store'
import decisions from '../src/index.ts'

/** For `palimpsest-contract` too, which runs it from this file. */
const target: ContractTarget = {
  name: 'decisions, in a SQLite file',
  store: ({ storage }) => createSqliteStore({ path: join(storage, 'session.db') }),
  create: ({ options, ...host }) => decisions.create({ ...options }, host),
  expectCapabilities: ['tools', 'selection', 'summarizer', 'persistence'],
}

export default target
