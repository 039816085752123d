import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportStore, importStore, verifyStore } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { collect, eachOf } from '../../../lcm/src/store-tests/harness/collect.ts'
import { operation, perform, word } from '../../../lcm/test/store/operations.ts'
import { lcmTarget } from '../support/lcm-target.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'
import { answersOf } from './answers-of.ts'

describeWithPostgres('a store in PostgreSQL and one in SQLite', (server) => {
  it('answer alike whatever is done to them, find the same, and take each other’s exports', async () => {
    let [performed, refused] = [0, 0]
    const target = lcmTarget(server)
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-same-'))
    const runs = fc.asyncProperty(
      fc.array(operation, { minLength: 10, maxLength: 50, size: 'max' }),
      fc.array(word, { minLength: 1, maxLength: 3 }),
      async (operations, terms) => {
        const name = String(performed)
        const sqlite = createSqliteStore({ path: join(folder, `${name}.db`) })
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
          const lines = await collect(exportStore(sqlite))
          expect(await collect(exportStore(postgres))).toEqual(lines)
          expect(await verifyStore(postgres)).toEqual([])
          expect(await postgres.check()).toEqual([])
          await importStore(copy, () => eachOf(lines))
          expect(await collect(exportStore(copy))).toEqual(lines)
          expect(await answersOf(copy, asked)).toEqual(await answersOf(sqlite, asked))
        } finally {
          for (const store of [sqlite, postgres, copy]) await store.close()
        }
      },
    )
    try {
      await fc.assert(runs, { numRuns: 8 })
    } finally {
      rmSync(folder, { recursive: true })
    }
    console.log(`${performed} operations gave the same answer in both stores, ${refused} of them a refusal`)
    expect(refused).toBeGreaterThan(10)
  })
})
