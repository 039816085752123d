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

/** The examples open their file in the folder that they run in. */
const stores: lcm.LcmStore[] = []
const sqlite = {
  createSqliteStore(options: { readonly path: string }) {
    const store = createSqliteStore({ ...options, path: join(folder, options.path) })
    stores.push(store)
    return store
  },
}
afterAll(() => Promise.all(stores.map((store) => store.close())))

const [whole = '', goingOn = '', subAgent = '', moving = ''] = examplesOf(
  new URL('../README.md', import.meta.url),
)
const modules = { '@palimpsest/core': core, '@palimpsest/lcm': lcm, '@palimpsest/lcm/sqlite': sqlite }

async function run(example: string, result?: string): Promise<{ printed: string[]; value: unknown }> {
  const printed: string[] = []
  const console = { log: (...values: unknown[]) => printed.push(values.join(' ')) }
  return { value: await runExample(example, modules, { console }, result), printed }
}

it('shows an example that works, and works the same the second time', async () => {
  const [became, tools, found = '', message = ''] = (await run(whole)).printed
  expect(became).toMatch(/^122 messages became \d\d$/)
  expect(tools).toBe('lcm_grep lcm_describe lcm_expand lcm_expand_query lcm_status')
  expect(JSON.parse(found)).toMatchObject({ complete: true, hits: [{ ref: 'm5', role: 'user' }] })
  expect(JSON.parse(message)).toMatchObject({ text: 'Note 3: We store everything in Postgres.' })
  const again = (await run(whole)).printed
  expect(again[0]).toBe(became)
  expect(JSON.parse(again[2] ?? '').scanned).toEqual(JSON.parse(found).scanned)
})

it('shows how a host without a history goes on, and what a sub-agent gets', async () => {
  const { value } = await run(goingOn, 'history')
  const history = value as core.Message[]
  const path = join(folder, 'conversations.db')
  const session = core.createContextSession({
    engine: lcm.lcm,
    options: { store: () => createSqliteStore({ path }) },
    sessionId: 'ledger',
    contextLength: 16_000,
  })
  const { warnings } = await session.prepare([...history, { role: 'assistant', content: 'Postgres.' }])
  expect(warnings).toEqual([])
  const status = JSON.parse(await session.callTool('lcm_status', {}))
  expect(status).toMatchObject({ messages: 123 })
  await session.end()
  const { printed } = await run(subAgent)
  expect(JSON.parse(printed[0] ?? '')).toMatchObject({ hits: [{ role: 'assistant' }, { ref: 'm5' }] })
})

it('shows how sessions are moved', async () => {
  const { printed } = await run(moving)
  expect(printed).toEqual(['1 sessions, 123 messages'])
})
