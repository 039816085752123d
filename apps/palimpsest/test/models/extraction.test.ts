import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { findChatModels } from '../../src/chat/run-chat.ts'
import { loadConfiguration } from '../../src/engines/configuration.ts'
import { agentBench, say } from '../chat/agent-bench.ts'
import { startMockUpstream } from '../gateway/mock-upstream.ts'
import { runCli } from '../run-cli.ts'
import { serveProcess } from '../serve/served-process.ts'
import { temporaryFolder } from '../serve/temporary-folder.ts'

const READER_KEY = 'key-of-the-reader'
const ENGINE = 'context:\n  engine: decisions\ndecisions:\n  batch_turns: 1\n'
const SAID = 'We take Postgres for the orders.'

/** One server answers, the other one reads; each takes its own key alone. */
async function twoServers() {
  const answers = await startMockUpstream({
    apiKey: 'key-of-the-answers',
    answer: () => ({ content: 'Noted.' }),
  })
  const record = [{ do: 'CREATE', kind: 'choice', subject: 'orders', value: 'Postgres', quote: SAID }]
  const reader = await startMockUpstream({
    apiKey: READER_KEY,
    answer: ({ messages }) => {
      const isSaid = JSON.stringify(messages).includes(SAID)
      return { content: JSON.stringify({ record: isSaid ? record : [] }) }
    },
  })
  const config = `${ENGINE}auxiliary:
  extraction:
    provider: openrouter
    model: mock-small
    base_url: ${reader.baseUrl}
    api_key: \${READER}
    timeout: 30
`
  return { answers, reader, config }
}

/** Short turns wait for others; these do not. */
const filler = (turn: number) => `${turn} ${'The store keeps sessions in src/store.ts. '.repeat(60)}`.trim()
const TURNS = [SAID, ...[1, 2, 3, 4].map(filler)]

const env = { OPENAI_API_KEY: 'key-of-the-answers', READER: READER_KEY }

it('in the chat, auxiliary.extraction reads, and /decide needs no model', async () => {
  const { answers, reader, config } = await twoServers()
  const bench = await agentBench()
  await writeFile(join(bench.workspace, 'config.yaml'), config)
  const configuration = await loadConfiguration(undefined, bench.workspace)
  const flags = { model: 'mock-large', baseUrl: answers.baseUrl, window: 64_000 }
  const agent = await bench.open(undefined, {
    ...(await findChatModels(flags, configuration.config.auxiliary, env)),
    configuration,
    flags: {},
  })
  for (const text of TURNS) await say(agent, text)
  const seen = async () => JSON.stringify(await agent.context(new AbortController().signal))
  await expect.poll(seen).toContain('orders: Postgres')
  expect(reader.requests.every(({ body }) => body.model === 'mock-small')).toBe(true)

  await say(agent, 'Never touch the migrations.')
  expect(await agent.decide('Never touch the migrations.', new AbortController().signal)).toBe(
    'on record, word for word',
  )
  expect(await agent.decide('Nobody said this.', new AbortController().signal)).toMatch(/^not on record/)
})

it('in the service, the reader is paid on its own line', async () => {
  const { answers, reader, config } = await twoServers()
  const folder = await temporaryFolder()
  await writeFile(
    join(folder, 'config.yaml'),
    `${config}serve:\n  answer_model: openai:mock-large\n  base_url: ${answers.baseUrl}\n`,
  )
  const service = await serveProcess(folder, ['--window', '64000'], env)
  for (const query of TURNS) await service.post('/query', { query })
  const read = async () => (await service.get('/state')).body.decisions
  await expect.poll(async () => JSON.stringify(await read())).toContain('Postgres')
  const { purposes } = (await service.get('/costs')).body
  expect(purposes.extraction.calls).toBe(reader.requests.length)
  expect(await service.end('SIGTERM')).toBe(0)
  expect(service.stderr()).not.toMatch(/key-of/)
})

it('in the gateway, what it read is shown to the upstream', async () => {
  const { answers, config } = await twoServers()
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'config.yaml'), config)
  const service = await serveProcess(folder, ['--window', '64000', '--upstream', answers.baseUrl], env)
  const openai = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: env.OPENAI_API_KEY, maxRetries: 0 })
  const messages: { role: 'user' | 'assistant'; content: string }[] = []
  const ask = async (content: string) => {
    messages.push({ role: 'user', content })
    const { choices } = await openai.chat.completions.create({ model: 'mock-large', messages })
    messages.push({ role: 'assistant', content: choices[0]?.message.content ?? '' })
  }
  for (const text of TURNS) await ask(text)
  const shown = async () => {
    await ask('Which database?')
    return JSON.stringify(answers.requests.at(-1)?.body)
  }
  await expect.poll(shown).toContain('orders: Postgres')
  expect(await service.end('SIGTERM')).toBe(0)
})

it('in a replay, and a model that is not reached is said', async () => {
  const { config } = await twoServers()
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'config.yaml'), config)
  const session = TURNS.flatMap((content) => [
    { role: 'user', content },
    { role: 'assistant', content: 'Noted.' },
  ])
  await writeFile(join(folder, 'talk.jsonl'), session.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const replay = (...args: string[]) => runCli(['replay', 'talk.jsonl', ...args], { cwd: folder, env })
  const read = await replay('--store', 'read.db')
  expect(read.code).toBe(0)
  const list = await runCli(['decisions', 'list', '--store', 'read.db'], { cwd: folder, env })
  expect(list.stdout).toContain('orders: Postgres')

  await writeFile(join(folder, 'config.yaml'), config.replace('READER}', 'NOBODY}'))
  const without = await replay('--store', 'without.db')
  expect(without.stderr).toContain('NOBODY is not set')
  expect(without.code).toBe(0)
})
