import { InvalidOptionError, ModelError } from '@palimpsest/core'
import { OpenAI } from 'openai'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { errorOf, testKey } from '../../provider-utils/test/support/fake-server.ts'
import { createOpenAiChat, createOpenAiCompletion, type OpenAiOptions } from '../src/index.ts'
import { answer, fakeOpenAi } from './support/fake-openai.ts'
import { localServer } from './support/models.ts'

const thrownBy = (options: unknown) =>
  errorOf(Promise.resolve().then(() => createOpenAiChat(options as OpenAiOptions)))
const client = new OpenAI({ apiKey: testKey })
const valid = { model: 'gpt-5-mini', apiKey: testKey }

/** The request of a model with these options, from the SDK's own client. */
async function sentBy(options: OpenAiOptions) {
  const { fetch, requests } = fakeOpenAi(answer({ content: 'x' }))
  vi.stubGlobal('fetch', fetch)
  const model = createOpenAiCompletion(options)
  await model.complete({ prompt: 'p', maxOutputTokens: 9 })
  return requests[0]
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

describe('options', () => {
  it.each([
    ['an unknown option', { ...valid, baseURL: localServer }, 'baseURL'],
    ['no model', { apiKey: testKey }, 'model'],
    ['an empty model', { ...valid, model: ' ' }, 'model'],
    ['an address that is none', { ...valid, baseUrl: 'localhost:1234' }, 'baseUrl'],
    ['an empty address', { ...valid, baseUrl: '' }, 'baseUrl'],
    ['a window of no size', { ...valid, contextLength: 0 }, 'contextLength'],
    ['half a retry', { ...valid, maxRetries: 0.5 }, 'maxRetries'],
    ['a timeout that no timer takes', { ...valid, timeoutMs: 2 ** 31 }, 'timeoutMs'],
    ['a timeout that is not a number', { ...valid, timeoutMs: Number.NaN }, 'timeoutMs'],
    ['a key beside a client', { ...valid, client }, 'apiKey'],
    ['retries beside a client', { model: 'm', client, maxRetries: 1 }, 'maxRetries'],
    ['a fetch beside a client', { model: 'm', client, fetch }, 'fetch'],
  ])('refuses %s', async (_name, options, path) => {
    const error = await thrownBy(options)
    expect(error).toBeInstanceOf(InvalidOptionError)
    expect(error).toMatchObject({ path })
    expect(error.message).toContain(path)
  })

  it.each([undefined, '', '  \n'])('asks for the key of OpenAI when it is %j', async (apiKey) => {
    for (const baseUrl of [undefined, 'https://eu.api.openai.com/v1']) {
      const error = await thrownBy({ model: 'm', apiKey, ...(baseUrl && { baseUrl }) })
      expect(ModelError.isInstance(error)).toBe(true)
      expect(error).toMatchObject({ kind: 'auth' })
      expect(error.message).toContain('OPENAI_API_KEY')
    }
  })

  it('takes nothing from the environment, which is for OpenAI and not for the server that is named', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'key-of-the-environment')
    vi.stubEnv('OPENAI_ORG_ID', 'org-of-the-environment')
    vi.stubEnv('OPENAI_PROJECT_ID', 'project-of-the-environment')
    vi.stubEnv('OPENAI_BASE_URL', 'https://example.invalid')
    vi.stubEnv(
      'OPENAI_CUSTOM_HEADERS',
      'x-gateway: key-of-the-environment\nauthorization: Bearer key-of-the-environment',
    )
    const sent = await sentBy({ model: 'm', baseUrl: `${localServer}/` })
    expect(sent?.url).toBe(`${localServer}/chat/completions`)
    expect(JSON.stringify([...(sent?.headers ?? [])])).not.toContain('environment')
    expect(sent?.headers.get('authorization')).toBe('Bearer no-key')
    expect(sent?.headers.get('content-type')).toBe('application/json')
  })
})

describe('the output limit', () => {
  it.each([
    ['https://api.openai.com/v1', 'max_completion_tokens'],
    ['https://us.api.openai.com/v1', 'max_completion_tokens'],
    ['https://example.openai.azure.com/openai/v1', 'max_completion_tokens'],
    ['https://example.cognitiveservices.azure.com/openai/v1', 'max_completion_tokens'],
    [localServer, 'max_tokens'],
    ['https://openrouter.ai/api/v1', 'max_tokens'],
    ['https://api.openai.com.example.org/v1', 'max_tokens'],
  ])('has the name that %s knows: %s', async (baseUrl, name) => {
    expect((await sentBy({ ...valid, baseUrl }))?.body).toMatchObject({ [name]: 9 })
  })
})
