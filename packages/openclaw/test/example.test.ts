import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { installExample } from '../../../scripts/example-chat.ts'

it('is a plug-in whose manifest and configuration agree with it; OpenClaw runs it in the clients’ tests', async () => {
  const folder = installExample('openclaw')
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  const { default: plugin } = await import(join(folder, 'index.ts'))
  const engines: unknown[] = []
  const tools: unknown[] = []
  plugin.register({
    registerContextEngine: (id: string) => engines.push(id),
    registerTool: (_: unknown, { names }: { readonly names: string[] }) => tools.push(...names),
    registerService: () => {},
  })
  const { id, contracts = { tools: [] } } = read('openclaw.plugin.json')
  expect([plugin.id, engines, tools]).toEqual([id, [id], contracts.tools])
  const { plugins } = read('openclaw.json')
  expect([plugins.slots.contextEngine, plugins.entries]).toEqual([id, { [id]: { enabled: true } }])
  process.stdout.write(
    'examples/openclaw: run by OpenClaw in `pnpm test:clients` alone, where OpenClaw is installed\n',
  )
})
