import { readFileSync } from 'node:fs'
import { verifyStore } from '@palimpsest/lcm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { exportLines } from '../../../lcm/test/export/lines.ts'
import { memoryStore } from '../../../lcm/test/memory-store.ts'
import { operation, perform } from '../../../lcm/test/store/operations.ts'
import { createPostgresStore } from '../../src/index.ts'
import { lcmTarget } from '../support/lcm-target.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'
import { answersOf } from './answers-of.ts'

/** What the guide tells an operator to run. */
function partitioning(): string {
  const guide = readFileSync(new URL('../../../../docs/scale.md', import.meta.url), 'utf8')
  const [, block] = /```sql\n([^`]*PARTITION BY HASH[^`]*)```/.exec(guide) ?? []
  if (block === undefined) throw new Error('docs/scale.md shows how a table is cut into partitions')
  return block
}

describeWithPostgres('a store whose messages are cut into partitions', (server) => {
  it('keeps what it had, and answers as any other does', async () => {
    let performed = 0
    const operations = fc.array(operation, { minLength: 40, maxLength: 60, size: 'max' })
    const runs = fc.asyncProperty(operations, operations, async (before, after) => {
      let schema = ''
      const target = lcmTarget(server, (name) => {
        schema = name
        return createPostgresStore({ url: server.url, schema, poolSize: 2 })
      })
      const memory = memoryStore()
      const postgres = target.create('partitions')
      try {
        const both = async (each: (typeof before)[number]) => {
          expect(await perform(postgres, each), each.kind).toEqual(await perform(memory, each))
          performed++
        }
        for (const store of [memory, postgres]) await store.session({ key: 'first' }, 1)
        for (const each of before) await both(each)
        await server.pool.query(partitioning().replaceAll('palimpsest', schema))
        for (const each of after) await both(each)

        const terms = ['fox', '寿']
        expect(await answersOf(postgres, terms)).toEqual(await answersOf(memory, terms))
        expect(await exportLines(postgres)).toEqual(await exportLines(memory))
        expect(await verifyStore(postgres)).toEqual([])
        expect(await postgres.check()).toEqual([])
      } finally {
        await postgres.close()
      }
    })
    await fc.assert(runs, { numRuns: 3 })
    console.log(`${performed} operations gave the same answer with and without partitions`)
  })
})
