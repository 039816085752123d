import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import compressor from '@palimpsest/compressor'
import * as core from '@palimpsest/core'
import { expect, it, onTestFinished } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import { createSqliteStore, type SqliteStoreOptions } from '../src/index.ts'

const [continued = '', searched = ''] = examplesOf(new URL('../README.md', import.meta.url))

function reader() {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const modules = {
    '@palimpsest/compressor': { default: compressor },
    '@palimpsest/core': core,
    '@palimpsest/store': {
      createSqliteStore: ({ path }: SqliteStoreOptions) => createSqliteStore({ path: join(folder, path) }),
    },
  }
  const printed: unknown[] = []
  const console = { log: (...texts: unknown[]) => printed.push(...texts) }
  return { printed, run: (example: string) => runExample(example, modules, { console }) }
}

it('shows a session that continues when the example runs again', async () => {
  const { printed, run } = reader()
  await run(continued)
  await run(continued)
  expect(printed).toEqual([1, 3])
})

it('shows an example that finds what was said', async () => {
  const { printed, run } = reader()
  await run(searched)
  expect(printed).toEqual([
    'm0: We use Postgres for the ledger.',
    'm1: Then the ledger gets its own schema.',
    [],
  ])
})
