import { readFileSync } from 'node:fs'
import compressor from '@palimpsest/compressor'
import { expect, test } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import * as openclaw from '../src/index.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const manifest = JSON.parse(read('../openclaw.plugin.json'))

test('the configuration names the plug-in, its settings, and nothing else', () => {
  const [, config = ''] = /```json\n(.*?)```/s.exec(read('../README.md')) ?? []
  const { plugins } = JSON.parse(config)
  expect(plugins).toEqual({
    slots: { contextEngine: manifest.id },
    entries: { [manifest.id]: { enabled: true } },
  })
  expect(openclaw.default.id).toBe(manifest.id)
  for (const setting of Object.keys(manifest.configSchema.properties))
    expect(read('../README.md')).toContain(`| \`${setting}\``)
})

test('another engine makes a plug-in', async () => {
  const [example = ''] = examplesOf(new URL('../README.md', import.meta.url))
  const code = example.replace('export default plugin', '')
  const modules = { '@palimpsest/compressor': { default: compressor }, '@palimpsest/openclaw': openclaw }
  expect(await runExample(code, modules, {}, 'plugin')).toMatchObject({ id: 'my-engine', name: 'My engine' })
})
