import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { runCommand } from '../../../e2e/run-command.ts'
import { installExample } from '../../../scripts/example-chat.ts'
import { acknowledge, FACT, note } from './support/notes.ts'
import { startProvider } from './support/scripted-provider.ts'

const PI = fileURLToPath(new URL('../node_modules/.bin/pi', import.meta.url))
const FILLER = 'The ledger counts in cents. '.repeat(600)

it('is an extension that each new process of pi goes on with, past the window', async () => {
  const folder = installExample('pi')
  const agent = join(folder, 'agent')
  mkdirSync(agent)
  const { baseUrl, apiKey, model: id, requests } = await startProvider(acknowledge)
  const models = [{ id, contextWindow: 16_000, maxTokens: 1_000 }]
  const providers = { scripted: { baseUrl, apiKey, api: 'openai-completions', models } }
  writeFileSync(join(agent, 'models.json'), JSON.stringify({ providers }))
  writeFileSync(join(agent, 'settings.json'), '{ "compaction": { "reserveTokens": 1000 } }')
  const env = {
    ...{ ...process.env, PI_CODING_AGENT_DIR: agent, PI_TELEMETRY: '0' },
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    NODE_OPTIONS: '--conditions=@palimpsest/source',
  }
  const ask = async (text: string): Promise<string> => {
    const args = ['--extension', '.', '--model', `scripted/${id}`, '--continue', '--print', text]
    const { stdout, stderr } = await runCommand(PI, args, { cwd: folder, env })
    return `${stdout}${stderr}`.trim()
  }
  expect(await ask(note(3))).toBe('Noted, that is number 3.')
  for (const turn of [4, 5, 6])
    expect(await ask(`${note(turn)}${FILLER}`)).toBe(`Noted, that is number ${turn}.`)
  expect(JSON.stringify(requests.at(-1)?.messages)).toContain('Context summary: reference only')
  expect(await ask('Search postgres')).toBe(`It says: ${FACT.slice(0, -1)}`)
})
