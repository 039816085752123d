import { expect, test } from 'vitest'
import { type ChatModelFlags, findChatModel } from '../../../src/chat/agent/find-chat-model.ts'

const LOCAL = 'http://127.0.0.1:11434/v1'
const GEMINI = { GEMINI_API_KEY: 'key' }
const OPENAI = { OPENAI_API_KEY: 'key' }

test.each<[name: string | undefined, flags: ChatModelFlags, environment: NodeJS.ProcessEnv]>([
  ['gemini:gemini-3-flash-preview', {}, { ...GEMINI, ...OPENAI, OPENAI_MODEL: 'gpt-5' }],
  ['gemini:gemini-2.5-pro', { model: 'gemini:gemini-2.5-pro' }, GEMINI],
  ['gemini:gemini-2.5-pro', { model: 'gemini-2.5-pro' }, GEMINI],
  ['openai:gpt-5', {}, { ...OPENAI, OPENAI_MODEL: 'gpt-5' }],
  ['openai:gpt-5', { model: 'gpt-5' }, { ...OPENAI, ...GEMINI }],
  ['openai:qwen3:8b', { baseUrl: LOCAL, model: 'qwen3:8b' }, GEMINI],
  ['openai:gemini-2.5-pro', { baseUrl: LOCAL, model: 'gemini-2.5-pro' }, GEMINI],
  ['openai:llama', {}, { OPENAI_BASE_URL: LOCAL, OPENAI_MODEL: 'llama' }],
  [undefined, {}, {}],
])('%s is found with %j and %j', async (name, flags, environment) => {
  const found = await findChatModel(flags, environment)
  expect(found.model?.name).toBe(name)
  expect(found.summarizer?.name).toBe(name)
})

test('without a model it is said how to get one', async () => {
  const { notice } = await findChatModel({}, {})
  expect(notice).toMatch(/^No model is configured.*answers quote.*GEMINI_API_KEY.*OPENAI_API_KEY.*--base-url/)
})

test('where the model is served decides what is known of its cache', async () => {
  const { caching } = await findChatModel({ baseUrl: LOCAL, model: 'gpt-5' }, {})
  expect(caching).toEqual({ model: 'gpt-5', provider: 'openai', baseUrl: LOCAL })
})

test.each<[message: RegExp, flags: ChatModelFlags, environment: NodeJS.ProcessEnv]>([
  [/needs a key: set GEMINI_API_KEY/, { model: 'gemini:gemini-2.5-pro' }, {}],
  [/names no model/, { model: 'openai:' }, OPENAI],
  [/--model <name> or OPENAI_MODEL/, { baseUrl: LOCAL }, {}],
  [/key/i, { model: 'gpt-5' }, {}],
])('%s is said of %j with %j', async (message, flags, environment) => {
  await expect(findChatModel(flags, environment)).rejects.toThrow(message)
})
