import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as core from '@palimpsest/core'
import { afterAll, expect, it } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import * as lcm from '../src/index.ts'
import { createSqliteStore } from '../src/sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'lcm-readme-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The example opens its file in the folder that it runs in. */
const sqlite = {
  createSqliteStore: ({ path }: { readonly path: string }) => createSqliteStore({ path: join(folder, path) }),
}

async function runReadme(): Promise<string[]> {
  const [example = ''] = examplesOf(new URL('../README.md', import.meta.url))
  const printed: string[] = []
  const console = { log: (...values: unknown[]) => printed.push(values.join(' ')) }
  const modules = { '@palimpsest/core': core, '@palimpsest/lcm': lcm, '@palimpsest/lcm/sqlite': sqlite }
  await runExample(example, modules, { console })
  return printed
}

it('shows an example that works, and works the same the second time', async () => {
  const [became, tools, found = '', message = ''] = await runReadme()
  expect(became).toMatch(/^122 messages became \d\d$/)
  expect(tools).toBe('lcm_grep lcm_describe lcm_expand lcm_expand_query lcm_status lcm_doctor')
  expect(JSON.parse(found)).toMatchObject({ complete: true, hits: [{ ref: 'm5', role: 'user' }] })
  expect(JSON.parse(message)).toMatchObject({ text: 'Note 3: We store everything in Postgres.' })
  const again = await runReadme()
  expect(again[0]).toBe(became)
  expect(JSON.parse(again[2] ?? '').scanned).toEqual(JSON.parse(found).scanned)
})
