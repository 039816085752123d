import { inspect } from 'node:util'
import { contextOverflow } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { errorOf, json, testKey } from '../../provider-utils/test/support/fake-server.ts'
import { loopback } from '../../provider-utils/test/support/loopback.ts'
import { createOpenAiChat } from '../src/index.ts'
import { failure, page, type Reply } from './support/fake-openai.ts'
import { chatWith, completionWith, localServer } from './support/models.ts'

const failing = (reply: Reply) => errorOf(completionWith(reply).model.complete({ prompt: 'p' }))
const coded = (message: string, code: string) => Object.assign(new Error(message), { code })

describe('what a server refuses', () => {
  const unread = failure(400, 'Failed to call a function.', { code: 'tool_use_failed' })
  const noDeployment = failure(404, 'The API deployment does not exist.', { code: 'DeploymentNotFound' })
  const fastApi = json({ detail: [{ loc: ['body', 'x'], msg: 'Field required' }] }, 422)
  const perMinute = failure(413, 'Request too large for model on tokens per minute (TPM): Limit 6000')
  it.each<[string, Reply, string, string]>([
    ['a wrong key', failure(401, 'Incorrect key', { code: 'invalid_api_key' }), 'auth', 'check apiKey'],
    ['a country', failure(403, 'Country not supported'), 'auth', localServer],
    ['a tool call that cannot be read', unread, 'empty', 'try again'],
    ['a deployment that Azure does not have', noDeployment, 'invalid-request', 'has no model "m"'],
    ['in the words of FastAPI', fastApi, 'invalid-request', 'Field required'],
    ['a rate', failure(429, 'Rate limit reached', { code: 'rate_limit_exceeded' }), 'quota', 'wait'],
    ['an empty account', failure(402, 'Insufficient credits', { code: 402 }), 'quota', 'limit'],
    ['a request above the rate', perMinute, 'quota', 'limit'],
    ['an unknown model', failure(404, 'model "m" not found'), 'invalid-request', 'has no model "m"'],
    ['an unknown address', page(404, 'Not Found'), 'invalid-request', 'a web page came, "Not Found"'],
    ['a wrong parameter', failure(400, 'Invalid schema for function'), 'invalid-request', 'Invalid schema'],
    ['content', failure(400, 'filtered', { code: 'content_filter' }), 'blocked', 'content'],
    ['flagged content', failure(403, 'Your input was flagged'), 'blocked', 'content'],
    ['too many at once', failure(503, 'Loading model'), 'overloaded', 'try again later'],
    ['what its proxy cannot reach', page(502, '502 Bad Gateway'), 'overloaded', '"502 Bad Gateway"'],
    ['what took too long', failure(504, 'upstream timeout'), 'timeout', 'send less'],
    ['an error with 200', json({ error: { message: 'no credits', code: 402 } }), 'quota', 'no credits'],
    ['in a bare sentence', json({ error: 'model is required' }, 400), 'invalid-request', 'model is required'],
    ['without a word', () => new Response(null, { status: 500 }), 'overloaded', 'try again'],
  ])('%s', async (_name, reply, kind, text) => {
    const error = await failing(reply)
    expect(error).toMatchObject({ name: 'ModelError', kind })
    expect(error.message).toContain(text)
    expect(error.message.length).toBeLessThan(600)
    expect(contextOverflow(error)).toBeUndefined()
  })

  const code = 'context_length_exceeded'
  const tooLong = "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens."
  const raw = 'prompt is too long: 213462 tokens > 200000 maximum'
  const exceeded = { code: 400, type: 'exceed_context_size_error' }
  it.each<[string, Reply, number | undefined]>([
    ['OpenAI', failure(400, tooLong, { code }), 4_096],
    ['vLLM', json({ object: 'error', message: tooLong, type: 'BadRequestError', code: 400 }, 400), 4_096],
    ['llama.cpp', failure(400, 'the request exceeds the available context size', exceeded), undefined],
    ['OpenRouter', failure(400, 'Provider returned error', { metadata: { raw } }), 200_000],
    ['a proxy with a limit of bytes', page(413, '413 Request Entity Too Large'), undefined],
  ])('a prompt that is too long, in the words of %s', async (_name, reply, contextLength) => {
    const error = await failing(reply)
    expect(error).toMatchObject({ kind: 'context-overflow' })
    expect(error.contextLength).toBe(contextLength)
    expect(contextOverflow(error)).toEqual(contextLength === undefined ? {} : { limit: contextLength })
  })

  it.each<[Record<string, string>, string, number | undefined]>([
    [{ 'retry-after': '7' }, 'slow down', 7_000],
    [{ 'retry-after-ms': '250', 'retry-after': '1' }, 'slow down', 250],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 'slow down', 0],
    [{}, 'Please try again in 1.2s. Visit', 1_200],
    [{}, 'Please try again in 6m30s.', 390_000],
    [{}, 'Please try again in 20ms.', 20],
    [{}, 'Please try again later', undefined],
  ])('tells how long to wait: %j %s', async (headers, message, retryAfterMs) => {
    expect((await failing(failure(429, message, {}, headers))).retryAfterMs).toBe(retryAfterMs)
  })
})

describe('an answer that is none', () => {
  const asJson = { headers: { 'content-type': 'application/json' } }

  // A stream that says nothing is one that broke.
  it.each<[string, Reply, string, string]>([
    ['a web page', page(200, 'Welcome'), 'invalid-request', 'invalid-request'],
    ['a text', () => new Response('pong'), 'invalid-request', 'network'],
    ['an empty body', () => new Response('', asJson), 'invalid-request', 'network'],
    ['half a body', () => new Response('{"choices":[', asJson), 'network', 'network'],
  ])('is refused: %s', async (_name, reply, kind, streamedKind) => {
    expect(await failing(reply)).toMatchObject({ name: 'ModelError', kind })
    const messages = [{ role: 'user', content: 'p' } as const]
    const streamed = await errorOf(chatWith(reply).model.chat({ messages, onText: () => {} }))
    expect(streamed).toMatchObject({ name: 'ModelError', kind: streamedKind })
  })
})

describe('a server that is not reached', () => {
  it('is asked after: is it running?', async () => {
    const { baseUrl } = await loopback(() => {}).then(async (server) => {
      await server[Symbol.asyncDispose]()
      return server
    })
    const model = createOpenAiChat({ model: 'm', baseUrl: `${baseUrl}/v1` })
    const error = await errorOf(model.chat({ messages: [{ role: 'user', content: 'p' }] }))
    expect(error).toMatchObject({ kind: 'network' })
    expect(error.message).toContain(`nothing answers at ${baseUrl}/v1: is the server there running?`)
  })

  it.each<[string, string, unknown]>([
    [
      'timeout',
      'the limit is that of fetch',
      new TypeError('fetch failed', { cause: coded('Headers Timeout', 'UND_ERR_HEADERS_TIMEOUT') }),
    ],
    ['timeout', 'in time', new DOMException('This operation was aborted', 'AbortError')],
    [
      'network',
      'host name',
      new TypeError('fetch failed', { cause: coded('getaddrinfo ENOTFOUND x', 'ENOTFOUND') }),
    ],
    ['network', 'secure', new TypeError('fetch failed', { cause: coded('expired', 'CERT_HAS_EXPIRED') })],
    ['network', 'try again', coded('read ECONNRESET', 'ECONNRESET')],
    ['network', 'try again', new TypeError('Failed to fetch')],
  ])('is a %s that says "%s" for: %s', async (kind, text, thrown) => {
    const error = await failing(() => Promise.reject(thrown))
    expect(error).toMatchObject({ kind })
    expect(error.message).toContain(text)
  })
})

describe('keys in errors', () => {
  it.each<[string, Reply]>([
    ['the server repeats', failure(401, `Incorrect API key provided: ${testKey}.`)],
    ['a web page repeats', () => new Response(`<html><title>${testKey}</title></html>`, { status: 502 })],
    [
      'the connection repeats',
      () => Promise.reject(new TypeError('fetch failed', { cause: new Error(testKey) })),
    ],
    ['another key is in the answer', failure(400, `sk-proj-${'aB3dE5gH7j'.repeat(5)} and ${testKey}`)],
  ])('are removed when %s them', async (_name, reply) => {
    const error = await failing(reply)
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/test-key|aB3dE5gH7j/)
    expect(error.cause).toBeDefined()
  })

  it('are not shown from an address either', async () => {
    const baseUrl = `http://127.0.0.1:9/v1?key=${testKey}`
    const model = createOpenAiChat({ model: 'm', baseUrl })
    const error = await errorOf(model.chat({ messages: [{ role: 'user', content: 'p' }] }))
    expect(inspect(error, { depth: 10 })).not.toContain(testKey)
  })
})
