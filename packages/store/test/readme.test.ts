import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import { createSqliteStore, type SqliteStoreOptions } from '../src/index.ts'

it('shows an example that finds what was said', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-store-'))
  const [example = ''] = examplesOf(new URL('../README.md', import.meta.url))
  const store = {
    createSqliteStore: ({ path }: SqliteStoreOptions) => createSqliteStore({ path: join(folder, path) }),
  }
  const printed: unknown[] = []
  try {
    await runExample(
      example,
      { '@palimpsest/store': store },
      { console: { log: (...texts: unknown[]) => printed.push(...texts) } },
    )
    expect(printed).toEqual([
      'm0: We use Postgres for the ledger.',
      'm1: Then the ledger gets its own schema.',
      [],
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
