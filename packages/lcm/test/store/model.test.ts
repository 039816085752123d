import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { importStore } from '../../src/export/import-store.ts'
import { createSqliteStore } from '../../src/sqlite.ts'
import type { CandidateQuery } from '../../src/store/lcm-session.ts'
import type { LcmStore } from '../../src/store/lcm-store.ts'
import { AT, exactly, stateOf } from '../../src/store-tests/harness.ts'
import { verifyStore } from '../../src/verify/verify-session.ts'
import { eachOf, exportLines } from '../export/lines.ts'
import { memoryStore } from '../memory-store.ts'
import { operation, perform, word } from './operations.ts'

/** All that a store answers about all its sessions, and what it finds of each term. */
async function answersOf(store: LcmStore, terms: readonly string[]): Promise<unknown> {
  const sessions = await store.list({ limit: 100 })
  return Promise.all(
    sessions.map(async (info) => {
      const session = await store.find(info)
      if (session === null) throw new Error('a listed session is there')
      const found = []
      for (const text of terms)
        for (const kind of ['word', 'prefix', 'substring'] as const) {
          const query: CandidateQuery = {
            where: [[{ kind, text }]],
            order: 'newest',
            limit: 1_000,
            includeReplaced: true,
          }
          const summaries = exactly(await session.summaryCandidates(query), query)
          found.push([kind, text, exactly(await session.candidates(query), query), summaries])
        }
      const versions = await session.versions({ limit: 1_000 })
      const frontiers = await Promise.all(versions.map(({ version }) => session.frontier(version)))
      return [info, await stateOf(session), frontiers, found]
    }),
  )
}

it('answers as one in memory does that was never closed, and every state of it can be proved and imported', async () => {
  let [performed, refused] = [0, 0]
  const runs = fc.asyncProperty(
    fc.array(operation, { minLength: 10, maxLength: 60, size: 'max' }),
    fc.array(word, { minLength: 1, maxLength: 4 }),
    async (operations, terms) => {
      const folder = mkdtempSync(join(tmpdir(), 'palimpsest-model-'))
      const path = join(folder, 'lcm.db')
      let sqlite = createSqliteStore({ path })
      try {
        const memory = memoryStore()
        for (const store of [memory, sqlite]) await store.session({ key: 'first' }, AT)
        for (const [index, each] of operations.entries()) {
          const expected = await perform(memory, each)
          expect(await perform(sqlite, each), each.kind).toEqual(expected)
          performed++
          if (typeof expected === 'object' && expected !== null && 'refused' in expected) refused++
          if (index % 15 !== 14) continue
          await sqlite.close()
          sqlite = createSqliteStore({ path })
        }
        expect(await answersOf(sqlite, ['fox', ...terms])).toEqual(await answersOf(memory, ['fox', ...terms]))
        const lines = await exportLines(memory)
        expect(await exportLines(sqlite)).toEqual(lines)
        expect(await verifyStore(memory)).toEqual([])
        expect(await verifyStore(sqlite)).toEqual([])
        const copy = memoryStore()
        await importStore(copy, eachOf(lines))
        expect(await exportLines(copy)).toEqual(lines)
        expect(await verifyStore(copy)).toEqual([])
      } finally {
        await sqlite.close()
        rmSync(folder, { recursive: true })
      }
    },
  )
  await fc.assert(runs, { numRuns: 60 })
  console.log(`${performed} operations gave the same answer in both stores, ${refused} of them a refusal`)
})
