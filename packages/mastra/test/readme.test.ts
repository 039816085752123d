import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as agents from '@mastra/core/agent'
import * as libsql from '@mastra/libsql'
import * as memory from '@mastra/memory'
import * as lcm from '@palimpsest/lcm'
import * as sqlite from '@palimpsest/store'
import { afterEach, expect, it, vi } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import * as mastra from '../src/index.ts'

const file = new URL('../README.md', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'mastra-readme-'))

afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

it('shows an agent that works, and the defaults as they are', async () => {
  const [example = ''] = examplesOf(file)
  const asked: string[] = []
  vi.stubEnv('OPENAI_API_KEY', 'the key of the user')
  vi.stubGlobal('fetch', async (_: unknown, { body }: { readonly body: string }) => {
    asked.push(body)
    const content = [{ type: 'output_text', text: 'Postgres.', annotations: [] }]
    const output = [{ type: 'message', id: 'm', role: 'assistant', status: 'completed', content }]
    return Response.json({
      id: 'r',
      created_at: 1,
      model: 'm',
      output,
      usage: { input_tokens: 9, output_tokens: 2 },
    })
  })
  const printed: unknown[] = []
  const modules = {
    '@mastra/core/agent': agents,
    '@mastra/libsql': libsql,
    '@mastra/memory': memory,
    '@palimpsest/lcm': lcm,
    '@palimpsest/store': sqlite,
    '@palimpsest/mastra': mastra,
  }
  const here = example.replace("'context.db'", `'${folder}/context.db'`).replace('file:', `file:${folder}/`)
  await runExample(here, modules, { console: { log: (line: unknown) => printed.push(line) } })
  expect(printed).toEqual(['Postgres.'])
  expect(asked).toHaveLength(1)
  expect(asked[0]).toContain('lcm_grep')
  const readme = readFileSync(file, 'utf8')
  for (const value of Object.values(mastra.MASTRA_DEFAULTS)) expect(readme).toContain(` ${value} `)
})
