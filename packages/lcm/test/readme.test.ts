import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as core from '@palimpsest/core'
import * as sqlite from '@palimpsest/store'
import { afterAll, expect, it } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import * as lcm from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'lcm-readme-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The examples open their file in the folder that they run in. */
const store = {
  createSqliteStore: (options: sqlite.SqliteStoreOptions) =>
    sqlite.createSqliteStore({ ...options, path: join(folder, options.path) }),
}

const [whole = '', subAgent = ''] = examplesOf(new URL('../README.md', import.meta.url))
const modules = { '@palimpsest/core': core, '@palimpsest/lcm': lcm, '@palimpsest/store': store }

async function run(example: string): Promise<string[]> {
  const printed: string[] = []
  const console = { log: (...values: unknown[]) => printed.push(values.join(' ')) }
  await runExample(example, modules, { console })
  return printed
}

it('shows an example that works, and works the same the second time', async () => {
  const [became, tools, found = '', message = ''] = await run(whole)
  expect(became).toMatch(/^122 messages became \d\d$/)
  expect(tools).toBe('lcm_grep lcm_describe lcm_expand')
  expect(JSON.parse(found)).toMatchObject({ complete: true, hits: [{ ref: 'm5' }] })
  expect(JSON.parse(message)).toMatchObject({ text: 'Note 3: We store everything in Postgres.' })
  const again = await run(whole)
  expect(again[0]).toBe(became)
  expect(JSON.parse(again[2] ?? '').scanned).toEqual(JSON.parse(found).scanned)
})

it('shows what a sub-agent gets', async () => {
  const [found = ''] = await run(subAgent)
  expect(JSON.parse(found)).toMatchObject({ hits: [{ ref: 'm5' }] })
})
