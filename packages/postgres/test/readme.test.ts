import { expect, it } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import * as database from '../src/database.ts'
import * as stores from '../src/index.ts'
import { describeWithPostgres } from './support/postgres-server.ts'

const [opened = '', ownTables = ''] = examplesOf(new URL('../README.md', import.meta.url))

describeWithPostgres('the readme of @palimpsest/postgres', (server) => {
  /** Runs an example with tables in a schema of its own; returns what it prints. */
  async function run(example: string): Promise<unknown[][]> {
    const schema = server.schema()
    const printed: unknown[][] = []
    const withSchema =
      <Options, More extends unknown[], Result>(create: (options: Options, ...more: More) => Result) =>
      (options: Options, ...more: More) =>
        create({ ...options, schema }, ...more)
    const modules = {
      '@palimpsest/postgres': {
        createPostgresStore: withSchema(stores.createPostgresStore),
      },
      '@palimpsest/postgres/database': { createDatabase: withSchema(database.createDatabase) },
    }
    const console = { log: (...values: unknown[]) => printed.push(values) }
    const process = { env: { DATABASE_URL: server.url } }
    await runExample(example, modules, { console, process })
    return printed
  }

  it('shows how a store is opened', async () => {
    expect(await run(opened)).toEqual([[expect.objectContaining({ nextSeq: 0, version: 0 })]])
  })

  it('shows how to keep tables of one’s own', async () => {
    expect(await run(ownTables)).toEqual([[[{ id: 'database', text: 'PostgreSQL, since turn 3' }]]])
  })
})
