import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { acknowledge, FACT, note } from '../../packages/pi/test/support/notes.ts'
import { startProvider } from '../../packages/pi/test/support/scripted-provider.ts'
import { sharedValue } from '../../scripts/share-value.ts'
import type { Fixture } from '../fixture.ts'
import { REPOSITORY_ROOT } from '../repository-root.ts'
import { mustRun } from '../run-command.ts'
import { environmentOf } from '../user-environment.ts'

const { folder, user } = await sharedValue<Fixture>(inject('fixture'))

it('is installed by pi, and goes on with a session in each new process of it', async () => {
  const cwd = join(folder, 'pi')
  const agent = join(cwd, 'agent')
  await mkdir(agent, { recursive: true })
  const provider = await startProvider(acknowledge)
  const { baseUrl, apiKey, model: id } = provider
  const models = [{ id, contextWindow: 16_000, maxTokens: 1_000 }]
  const providers = { scripted: { baseUrl, apiKey, api: 'openai-completions', models } }
  await writeFile(join(agent, 'models.json'), JSON.stringify({ providers }))
  await writeFile(join(agent, 'settings.json'), '{ "compaction": { "reserveTokens": 1000 } }')
  const env = { ...environmentOf(user, cwd), PI_CODING_AGENT_DIR: agent, PI_TELEMETRY: '0' }
  const program = join(REPOSITORY_ROOT, 'packages/pi/node_modules/.bin/pi')
  const pi = (...args: string[]) => mustRun(program, args, { cwd, env })
  const ask = async (text: string) =>
    (await pi('--model', `scripted/${id}`, '--continue', '--print', text)).stdout.trim()

  await pi('install', 'npm:@palimpsest/pi')
  const filler = 'The ledger counts in cents. '.repeat(600)
  expect(await ask(note(3))).toBe('Noted, that is number 3.')
  for (const turn of [4, 5, 6])
    expect(await ask(`${note(turn)}${filler}`)).toBe(`Noted, that is number ${turn}.`)
  const last = provider.requests.at(-1)
  expect(last?.tools?.map((tool) => tool.function.name)).toContain('lcm_grep')
  expect(JSON.stringify(last?.messages)).toContain('Context summary: reference only')
  expect(await ask('Search postgres')).toBe(`It says: ${FACT.slice(0, -1)}`)
})
