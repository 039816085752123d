import { join } from 'node:path'
import { testContextEngine } from '@palimpsest/contract-tests/vitest'
import type { ContextEngine } from '@palimpsest/core'
import lcm, { createMemoryStore, type LcmStore } from '../src/index.ts'
import { createSqliteStore } from '../src/sqlite.ts'

/** Reads the stored JSON text of a message, page by page. */
async function recall(engine: ContextEngine, _message: unknown, at: number): Promise<string> {
  let text = ''
  for (let offset = 0; offset !== null; ) {
    const page = JSON.parse(await engine.handleToolCall('lcm_expand', { id: `m${at}`, form: 'json', offset }))
    text += page.text
    offset = page.next
  }
  return text
}

const expectCapabilities = ['tools', 'pruning', 'summarizer', 'persistence', 'lossless'] as const

/** A store in memory lives as long as its folder would. */
const memory = new Map<string, LcmStore>()

testContextEngine({
  name: 'lcm, in memory',
  create({ storage, options, ...host }) {
    const store = memory.get(storage) ?? createMemoryStore()
    memory.set(storage, store)
    return lcm.create({ store, ...options }, host)
  },
  recall,
  expectCapabilities,
})

testContextEngine({
  name: 'lcm, in a SQLite file',
  create: ({ storage, options, ...host }) =>
    lcm.create({ store: () => createSqliteStore({ path: join(storage, 'lcm.db') }), ...options }, host),
  recall,
  expectCapabilities,
  propertyRuns: 25,
})
