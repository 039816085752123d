import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as core from '@palimpsest/core'
import * as lcm from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/store'
import { afterAll, expect, it } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import * as decisions from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'decisions-readme-'))
afterAll(() => rmSync(folder, { recursive: true }))

const modules = {
  '@palimpsest/core': core,
  '@palimpsest/decisions': decisions,
  '@palimpsest/lcm': lcm,
  '@palimpsest/store': {
    createSqliteStore: ({ path }: { readonly path: string }) =>
      createSqliteStore({ path: join(folder, path) }),
  },
}

async function run(): Promise<string[]> {
  const printed: string[] = []
  const console = { log: (...values: unknown[]) => printed.push(values.join(' ')) }
  const [example = ''] = examplesOf(new URL('../README.md', import.meta.url))
  await runExample(example, modules, { console })
  return printed
}

it('shows an example that works, and works the same the second time', async () => {
  const [became = '', prompt = '', found = ''] = await run()
  expect(became).toMatch(/^122 messages became \d\d$/)
  expect(prompt).toContain('MySQL (was Postgres, turn 3 to 27, because the operators only run MySQL')
  expect(prompt).toContain('- "Always answer in Spanish."')
  expect(JSON.parse(found)).toMatchObject({ decisions: [{ value: 'Postgres', status: 'superseded' }] })
  // Told from its beginning again, the conversation decides the same.
  const [, promptAgain] = await run()
  expect(promptAgain).toContain('MySQL (was Postgres, turn 3 to 27')
})
