import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { findChatModels } from '../../src/chat/run-chat.ts'
import { loadConfiguration } from '../../src/engines/configuration.ts'
import { agentBench, say } from '../chat/agent-bench.ts'
import { type MockUpstream, startMockUpstream } from '../gateway/mock-upstream.ts'
import { runCli } from '../run-cli.ts'
import { serveProcess } from '../serve/served-process.ts'
import { temporaryFolder } from '../serve/temporary-folder.ts'
import { startOfSession } from '../start-of-session.ts'

const ANSWER_KEY = 'key-of-the-answers'
const SUMMARY_KEY = 'key-of-the-summaries'
const lineOf = ({ baseUrl }: MockUpstream) =>
  `openrouter:mock-small at ${new URL(baseUrl).origin} (auxiliary.compression)`
const QUESTION = 'Which lantern hangs in the hall?'

/** What is said before the question: too much for the window. */
const TURNS = Array.from({ length: 12 }, (_, turn) =>
  `${turn} ${'The store keeps sessions in src/store.ts. '.repeat(120)}`.trim(),
)

/** Two servers, each of which takes its own key alone: one answers, one writes summaries. */
async function twoServers() {
  const answers = await startMockUpstream({
    apiKey: ANSWER_KEY,
    answer: () => ({ content: 'A copper one.' }),
  })
  const summaries = await startMockUpstream({
    apiKey: SUMMARY_KEY,
    answer: () => ({ content: '## Goal\n- The hall was looked at.\n\n## Critical Context\n- FAKE-SUMMARY.' }),
  })
  const config = `auxiliary:
  compression:
    provider: openrouter
    model: mock-small
    base_url: ${summaries.baseUrl}
    api_key: \${SUMMARIES}
    timeout: 30
`
  return { answers, summaries, config }
}

/** Only summaries were asked for at the one server, and only answers at the other. */
function expectApart(answers: MockUpstream, summaries: MockUpstream): void {
  const asked = ({ requests }: MockUpstream) => requests.map(({ body }) => JSON.stringify(body))
  expect(answers.requests.every(({ body }) => body.model === 'mock-large')).toBe(true)
  const last = answers.requests.map(({ body }) => String(body.messages?.at(-1)?.content))
  expect(last).toEqual([...TURNS, QUESTION])
  expect(summaries.requests.length).toBeGreaterThan(0)
  expect(summaries.requests.every(({ body }) => body.model === 'mock-small')).toBe(true)
  expect(asked(summaries).filter((body) => body.includes(QUESTION))).toEqual([])
}

it('in the chat, a cheap model writes summaries, and the other one answers', async () => {
  const { answers, summaries, config } = await twoServers()
  const bench = await agentBench()
  await writeFile(join(bench.workspace, 'config.yaml'), config)
  const configuration = await loadConfiguration(undefined, bench.workspace)
  const environment = { OPENAI_API_KEY: ANSWER_KEY, SUMMARIES: SUMMARY_KEY }
  const flags = { model: 'mock-large', baseUrl: answers.baseUrl, window: 12_000 }
  const { compression } = configuration.config.auxiliary
  const agent = await bench.open(undefined, {
    ...(await findChatModels(flags, { compression }, environment)),
    configuration,
    window: 12_000,
  })
  expect(agent.facts.summaries).toBe(`Summaries: ${lineOf(summaries)}`)
  for (const text of TURNS) await say(agent, text)
  const before = summaries.requests.length
  expect(before).toBeGreaterThan(0)
  await say(agent, QUESTION)
  expectApart(answers, summaries)
  expect(JSON.stringify(answers.requests.at(-1)?.body)).toContain('FAKE-SUMMARY')
  expect(agent.status().costs.requests).toBe(answers.requests.length + summaries.requests.length)
})

it('in the service, the summariser gets no question, and says at the start who it is', async () => {
  const { answers, summaries, config } = await twoServers()
  const folder = await temporaryFolder()
  const serve = `serve:\n  answer_model: openai:mock-large\n  base_url: ${answers.baseUrl}\n`
  await writeFile(join(folder, 'config.yaml'), config + serve)
  const service = await serveProcess(folder, ['--engine', 'compressor', '--window', '12000'], {
    OPENAI_API_KEY: ANSWER_KEY,
    SUMMARIES: SUMMARY_KEY,
  })
  expect(service.stderr()).toContain(`Summaries: ${lineOf(summaries)}\n`)
  expect((await service.post('/query', { query: TURNS[0] })).body).toMatchObject({
    answer: 'A copper one.',
    offline: false,
    usage: { model: 'openai:mock-large', usd: null },
  })
  for (const query of TURNS.slice(1)) await service.post('/query', { query })
  expect((await service.post('/query', { query: QUESTION })).body.answer).toBe('A copper one.')
  expectApart(answers, summaries)
  const { purposes } = (await service.get('/costs')).body
  expect(purposes.compaction.calls).toBe(summaries.requests.length)
  expect(purposes.answer.calls).toBe(answers.requests.length)
  expect(await service.end('SIGTERM')).toBe(0)
  expect(service.stderr()).not.toMatch(/key-of/)
})

it('in the gateway, the summariser is asked with its own key, and the upstream with that of the client', async () => {
  const { answers, summaries, config } = await twoServers()
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'config.yaml'), config)
  const args = ['--engine', 'compressor', '--window', '12000', '--upstream', answers.baseUrl]
  const service = await serveProcess(folder, args, { SUMMARIES: SUMMARY_KEY })
  expect(service.stderr()).toContain(`Summaries in the gateway: ${lineOf(summaries)}\n`)
  const openai = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: ANSWER_KEY, maxRetries: 0 })
  const messages: { role: 'user' | 'assistant'; content: string }[] = []
  const ask = async (content: string) => {
    messages.push({ role: 'user', content })
    const { choices } = await openai.chat.completions.create({ model: 'mock-large', messages })
    messages.push({ role: 'assistant', content: choices[0]?.message.content ?? '' })
  }
  for (const text of TURNS) await ask(text)
  await ask(QUESTION)
  expectApart(answers, summaries)
  expect(JSON.stringify(answers.requests.at(-1)?.body)).toContain('FAKE-SUMMARY')
  expect(await service.end('SIGTERM')).toBe(0)
})

it('in a replay too, and --model takes its place there', async () => {
  const { summaries, config } = await twoServers()
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'config.yaml'), config)
  const session = await startOfSession(folder)
  const replay = (env: Record<string, string>, ...args: string[]) =>
    runCli(['replay', session, '--window', '16000', ...args], { cwd: folder, env })
  const byBlock = await replay({ SUMMARIES: SUMMARY_KEY })
  expect(byBlock.code).toBe(0)
  expect(byBlock.stdout).toContain('openrouter:mock-small')
  const asked = summaries.requests.length
  expect(asked).toBeGreaterThan(0)

  const byFlag = await replay(
    { OPENAI_API_KEY: SUMMARY_KEY },
    ...['--model', 'openai:mock-large', '--base-url', summaries.baseUrl],
  )
  expect(byFlag.stdout).toContain('openai:mock-large')
  expect(summaries.requests.slice(asked).every(({ body }) => body.model === 'mock-large')).toBe(true)
  expect(summaries.requests.length).toBeGreaterThan(asked)

  const without = await replay({ SUMMARIES: '' })
  expect(without.stderr).toContain('SUMMARIES is not set: summaries are made offline, without a model')
  expect(without.code).toBe(0)
  expect([byBlock, byFlag, without].map(({ stdout, stderr }) => stdout + stderr).join('')).not.toMatch(
    /key-of/,
  )
})

it('ends a summary that takes longer than the timeout, in seconds, and names the key of the configuration', async () => {
  const { summaries, config } = await twoServers()
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'config.yaml'), config.replace('timeout: 30', 'timeout: 0.2'))
  summaries.failNext({ type: 'stall', at: 'start' })
  const session = await startOfSession(folder)
  const { code, stdout } = await runCli(['replay', session, '--window', '16000', '--json'], {
    cwd: folder,
    env: { SUMMARIES: SUMMARY_KEY },
  })
  expect(code).toBe(0)
  expect(stdout).toContain('auxiliary.compression.timeout is 0.2 s')
})
