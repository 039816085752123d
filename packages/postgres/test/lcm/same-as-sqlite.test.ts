import { importStore, verifyStore } from '@palimpsest/lcm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eachOf, exportLines } from '../../../lcm/test/export/lines.ts'
import { memoryStore } from '../../../lcm/test/memory-store.ts'
import { operation, perform, word } from '../../../lcm/test/store/operations.ts'
import { lcmTarget } from '../support/lcm-target.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'
import { answersOf } from './answers-of.ts'

describeWithPostgres('a store in PostgreSQL and one in SQLite', (server) => {
  it('answer alike whatever is done to them, find the same, and take each other’s exports', async () => {
    let [performed, refused] = [0, 0]
    const target = lcmTarget(server)
    const runs = fc.asyncProperty(
      fc.array(operation, { minLength: 10, maxLength: 50, size: 'max' }),
      fc.array(word, { minLength: 1, maxLength: 3 }),
      async (operations, terms) => {
        const name = String(performed)
        const sqlite = memoryStore()
        const postgres = target.create(name)
        const copy = target.create(`${name} copy`)
        try {
          for (const store of [sqlite, postgres]) await store.session({ key: 'first' }, 1)
          for (const each of operations) {
            const expected = await perform(sqlite, each)
            expect(await perform(postgres, each), each.kind).toEqual(expected)
            performed++
            if (typeof expected === 'object' && expected !== null && 'refused' in expected) refused++
          }
          const asked = ['fox', '寿', ...terms]
          expect(await answersOf(postgres, asked)).toEqual(await answersOf(sqlite, asked))
          const lines = await exportLines(sqlite)
          expect(await exportLines(postgres)).toEqual(lines)
          expect(await verifyStore(postgres)).toEqual([])
          expect(await postgres.check()).toEqual([])
          await importStore(copy, eachOf(lines))
          expect(await exportLines(copy)).toEqual(lines)
          expect(await verifyStore(copy)).toEqual([])
        } finally {
          for (const store of [sqlite, postgres, copy]) await store.close()
        }
      },
    )
    await fc.assert(runs, { numRuns: 8 })
    console.log(`${performed} operations gave the same answer in both stores, ${refused} of them a refusal`)
    expect(refused).toBeGreaterThan(10)
  })
})
