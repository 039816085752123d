import { GoogleGenAI } from '@google/genai'
import { InvalidOptionError, ModelError } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { errorOf, testKey } from '../../provider-utils/test/support/fake-server.ts'
import { createGeminiChat, createGeminiCompletion, type GeminiOptions } from '../src/index.ts'

const thrownBy = (options: unknown) =>
  errorOf(Promise.resolve().then(() => createGeminiChat(options as GeminiOptions)))
const client = new GoogleGenAI({ vertexai: false, apiKey: testKey })
const valid = { model: 'gemini-2.5-flash', apiKey: testKey }

describe('options', () => {
  it.each([
    ['an unknown option', { ...valid, apikey: 'x' }, 'apikey'],
    ['no model', { apiKey: testKey }, 'model'],
    ['an empty model', { ...valid, model: ' ' }, 'model'],
    ['an address that is none', { ...valid, baseUrl: 'localhost:1234' }, 'baseUrl'],
    ['a window of no size', { ...valid, contextLength: 0 }, 'contextLength'],
    ['a timeout that no timer takes', { ...valid, timeoutMs: 2 ** 31 }, 'timeoutMs'],
    ['a timeout that is not a number', { ...valid, timeoutMs: Number.NaN }, 'timeoutMs'],
    ['two ways to limit thinking', { ...valid, thinking: { budgetTokens: 1, level: 'low' } }, 'thinking'],
    ['half a token', { ...valid, thinking: { budgetTokens: 0.5 } }, 'thinking.budgetTokens'],
    ['an unknown level', { ...valid, thinking: { level: 'extreme' } }, 'thinking.level'],
    ['an unknown option of thinking', { ...valid, thinking: { tokens: 5 } }, 'thinking.tokens'],
    ['a key beside a client', { ...valid, client }, 'apiKey'],
    ['a fetch beside a client', { model: 'm', client, fetch }, 'fetch'],
  ])('refuses %s', async (_name, options, path) => {
    const error = await thrownBy(options)
    expect(error).toBeInstanceOf(InvalidOptionError)
    expect(error).toMatchObject({ path })
    expect(error.message).toContain(path.split('.').at(-1))
  })

  it.each([undefined, '', '  \n'])('asks for the key when it is %j', async (apiKey) => {
    const error = await thrownBy({ model: 'gemini-2.5-flash', apiKey })
    expect(ModelError.isInstance(error)).toBe(true)
    expect(error).toMatchObject({ kind: 'auth' })
    expect(error.message).toContain('GEMINI_API_KEY')
  })

  it('takes a key with the line break that came with it', async () => {
    const keys: (string | null)[] = []
    const send: typeof fetch = async (_input, init) => {
      keys.push(new Headers(init?.headers).get('x-goog-api-key'))
      throw new TypeError('fetch failed')
    }
    await errorOf(
      createGeminiCompletion({ ...valid, apiKey: `${testKey}\n`, fetch: send }).complete({ prompt: 'p' }),
    )
    expect(keys).toEqual([testKey])
  })
})
