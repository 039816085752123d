import { describe, expect, it } from 'vitest'
import { serviceModels } from '../../src/serve/models/service-models.ts'
import { startMockUpstream } from '../gateway/mock-upstream.ts'
import { runCli } from '../run-cli.ts'
import { startTestService } from './test-service.ts'

const KEY = 'key-of-the-answers'
const NONE = {
  answer_model: undefined,
  base_url: undefined,
}
const SAID = 'A copper one.'

const startAnswers = () => startMockUpstream({ apiKey: KEY, answer: () => ({ content: SAID }) })
const find = (options: Partial<typeof NONE> | object, environment: NodeJS.ProcessEnv) =>
  serviceModels({ options: { ...NONE, ...options }, block: {}, window: 64_000, environment })

describe('the model that answers /query', () => {
  it.each([
    ['openai:mock-large', { answer_model: 'mock-large' }, 'OPENAI_API_KEY'],
    ['openrouter:mock-large', { answer_model: 'openrouter:mock-large' }, 'OPENROUTER_API_KEY'],
  ])('is %s with %j, behind its own address, with %s', async (name, options, variable) => {
    const server = await startAnswers()
    const { models, summaries } = await find({ ...options, base_url: server.baseUrl }, { [variable]: KEY })
    const service = await startTestService({ models, engine: 'decisions' })
    const { body } = await service.post('/query', { query: 'Which lantern?' })
    expect(body).toMatchObject({ answer: SAID, offline: false, usage: { model: name, requests: 1 } })
    expect(summaries.line).toBe(
      `Summaries: ${name} at ${new URL(server.baseUrl).origin} (the model that answers)`,
    )
    expect([models.extraction?.name, models.compaction?.name]).toEqual([name, name])
    expect(server.requests[0]).toMatchObject({ path: '/v1/chat/completions', body: { model: 'mock-large' } })
  })

  it('is what the environment tells of when none is named', async () => {
    const server = await startAnswers()
    const environment = { OPENAI_BASE_URL: server.baseUrl, OPENAI_MODEL: 'mock-large', OPENAI_API_KEY: KEY }
    const { models } = await find({}, environment)
    const service = await startTestService({ models })
    expect((await service.post('/query', { query: 'Which lantern?' })).body.answer).toBe(SAID)
    // A key alone may be there for the clients of the gateway.
    expect((await find({}, { OPENAI_API_KEY: KEY })).models).toEqual({})
    const gemini = await find({}, { GEMINI_API_KEY: 'key' })
    expect(gemini.models.answer?.name).toBe('gemini:gemini-3-flash-preview')
  })

  it('is named in one line when its key is missing', async () => {
    await expect(find({ answer_model: 'openrouter:x/y' }, {})).rejects.toThrow(
      'serve.answer_model openrouter:x/y needs a key: set OPENROUTER_API_KEY',
    )
    const chat = await runCli(['chat', '--model', 'anthropic:claude-x', 'hello'], {
      env: { ANTHROPIC_API_KEY: '' },
    })
    expect(chat).toMatchObject({
      code: 2,
      stderr: 'palimpsest: --model anthropic:claude-x needs a key: set ANTHROPIC_API_KEY\n',
    })
  })
})
