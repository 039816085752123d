import Anthropic from '@anthropic-ai/sdk'
import { expect, test } from 'vitest'
import { startMockAnthropic } from './mock-anthropic.ts'
import { startMockUpstream } from './mock-upstream.ts'
import { MODEL } from './start-anthropic.ts'
import { startTestGateway } from './test-gateway.ts'

const BODY = { model: MODEL, max_tokens: 100, messages: [{ role: 'user' as const, content: 'hello' }] }

const KEY = 'key-of-the-gateway'

const start = async (elsewhere: boolean) => {
  const key = elsewhere ? { apiKey: KEY } : {}
  const chat = await startMockUpstream({ answer: () => ({ content: 'from chat' }), ...key })
  const messages = await startMockAnthropic({ answer: () => ({ text: 'from messages' }) })
  const formats = elsewhere ? { 'anthropic-messages': messages.baseUrl } : {}
  const gateway = await startTestGateway({ baseUrl: chat.baseUrl, formats, ...key })
  const baseURL = gateway.baseUrl.replace(/\/v1$/, '')
  const anthropic = new Anthropic({ baseURL, apiKey: 'key-of-a-client', maxRetries: 0 })
  return { ...gateway, chat, messages, anthropic }
}

test('each format goes to its own upstream, with the paths below it, and the key of one never goes to another', async () => {
  const { client, chat, messages, anthropic } = await start(true)
  const said = await client().chat.completions.create({ ...BODY, model: 'mock-large' })
  expect(said.choices[0]?.message.content).toBe('from chat')
  expect((await anthropic.messages.create(BODY)).content).toMatchObject([{ text: 'from messages' }])
  await anthropic.messages.countTokens({ model: MODEL, messages: BODY.messages })
  expect(chat.requests).toHaveLength(1)
  const headers = messages.requests.map(({ headers: sent }) => sent)
  expect(headers.length).toBeGreaterThan(0)
  for (const sent of headers) expect(sent.authorization).toBe('Bearer key-of-a-client')
  expect(JSON.stringify(headers)).not.toContain(KEY)
})

test('a format that an upstream does not speak is not translated, and the answer says so', async () => {
  const { anthropic } = await start(false)
  const refused = await anthropic.messages.create(BODY).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Anthropic.NotFoundError)
  const warning = (refused as InstanceType<typeof Anthropic.NotFoundError>).headers.get(
    'x-palimpsest-warning',
  )
  expect(warning).toContain('seems not to speak this API')
  expect(warning).toContain('serve.upstream.formats')
})
