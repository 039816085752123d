import { join } from 'node:path'
import type { ContractTarget } from '@palimpsest/contract-tests'
import type { ContextEngine } from '@palimpsest/core'
import lcm from '../src/index.ts'
import { createSqliteStore } from '../src/sqlite.ts'

/** Reads the stored JSON text of a message, page by page. */
export async function recall(engine: ContextEngine, _message: unknown, at: number): Promise<string> {
  let text = ''
  for (let offset = 0; offset !== null; ) {
    const page = JSON.parse(await engine.handleToolCall('lcm_expand', { id: `m${at}`, form: 'json', offset }))
    text += page.text
    offset = page.next
  }
  return text
}

/** For `palimpsest-contract` too, which runs it from this file. */
const target: ContractTarget = {
  name: 'lcm, in a SQLite file',
  create: ({ storage, options, ...host }) =>
    lcm.create({ store: () => createSqliteStore({ path: join(storage, 'lcm.db') }), ...options }, host),
  recall,
  expectCapabilities: ['tools', 'pruning', 'summarizer', 'persistence', 'lossless'],
}

export default target
