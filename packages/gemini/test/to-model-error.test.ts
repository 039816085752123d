import { inspect } from 'node:util'
import { GoogleGenAI } from '@google/genai'
import { ModelError } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { errorOf, json, testKey } from '../../provider-utils/test/support/fake-server.ts'
import { loopback } from '../../provider-utils/test/support/loopback.ts'
import { createGeminiCompletion } from '../src/index.ts'
import { answer, chunk, failure, fakeGemini, type Reply, stream } from './support/fake-gemini.ts'
import { chatWith, completionWith } from './support/models.ts'

const keyInvalid = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }]
const coded = (message: string, code: string) => Object.assign(new Error(message), { code })
const overflow = (sentence: string): Reply => failure(400, 'INVALID_ARGUMENT', sentence)

describe('errors of the service', () => {
  it.each<[string, Reply | Parameters<typeof failure>, string]>([
    ['a wrong key', [400, 'INVALID_ARGUMENT', 'API key not valid.', keyInvalid], 'auth'],
    ['an expired key', [400, 'INVALID_ARGUMENT', 'API key expired. Please renew the API key.'], 'auth'],
    ['no login', [401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'], 'auth'],
    ['a project without access', [403, 'PERMISSION_DENIED', 'Permission denied.'], 'auth'],
    ['a country', [400, 'FAILED_PRECONDITION', 'User location is not supported.'], 'auth'],
    ['a spent quota', [429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.'], 'quota'],
    ['an overload', [503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'], 'overloaded'],
    ['an internal error', [500, 'INTERNAL', 'An internal error has occurred.'], 'overloaded'],
    ['a gateway that is down', () => new Response('<h1>Bad gateway</h1>', { status: 502 }), 'overloaded'],
    ['a deadline', [504, 'DEADLINE_EXCEEDED', 'Deadline expired before it could complete.'], 'timeout'],
    ['an unknown model', [404, 'NOT_FOUND', 'models/gemini-9 is not found.'], 'invalid-request'],
    ['a wrong field', [400, 'INVALID_ARGUMENT', 'Unknown name "x".'], 'invalid-request'],
    ['too many bytes', overflow('Request payload size exceeds the limit: 2 bytes.'), 'context-overflow'],
    ['a body that a gateway refuses', () => new Response('too large', { status: 413 }), 'context-overflow'],
    ['a page instead of an answer', () => new Response('<html>login</html>'), 'unknown'],
    ['a redirect that leads nowhere', json({}, 304), 'unknown'],
  ])('%s is %s', async (_name, said, kind) => {
    const { model, requests } = completionWith(typeof said === 'function' ? said : failure(...said))
    const error = await errorOf(model.complete({ prompt: 'p' }))
    expect(ModelError.isInstance(error)).toBe(true)
    expect(error).toMatchObject({ kind })
    expect(error.message).toMatch(/^[A-Za-z].*: \S/)
    expect(requests).toHaveLength(1)
  })

  it.each([
    [
      'RetryInfo',
      'Quota exceeded.',
      [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '13.2507s' }],
      13_251,
    ],
    ['its sentence', 'Quota exceeded. Please retry in 36.5s.', [], 36_500],
    ['neither', 'Quota exceeded.', [{ retryDelay: 'soon' }], undefined],
  ])('says how long to wait, as told by %s', async (_name, message, details, expected) => {
    const { model } = completionWith(failure(429, 'RESOURCE_EXHAUSTED', message, details))
    expect((await errorOf(model.complete({ prompt: 'p' }))).retryAfterMs).toBe(expected)
  })

  it.each([
    ['The input token count (1300000) exceeds the maximum number of tokens allowed (1048576).', 1_048_576],
    ['The input token count exceeds the maximum number of tokens allowed 1048576.', 1_048_576],
    [
      'Unable to submit request because the input token count is 40000 but model only supports up to 32768.',
      32_768,
    ],
    ['The input token count exceeds what the model takes.', undefined],
  ])('reads the window out of "%s"', async (sentence, window) => {
    const { model } = completionWith(overflow(sentence))
    const error = await errorOf(model.complete({ prompt: 'p' }))
    expect(error.kind).toBe('context-overflow')
    expect(error.contextLength).toBe(window)
  })

  it.each<[string, (body: unknown) => Response]>([
    ['in an array', (body) => Response.json([body], { status: 429 })],
    ['as plain text', (body) => new Response(JSON.stringify(body), { status: 429 })],
  ])('understands an error that arrives %s', async (_name, wrap) => {
    const details = [{ retryDelay: '2s' }]
    const body = { error: { code: 429, message: 'Slow down.', status: 'RESOURCE_EXHAUSTED', details } }
    const { model } = completionWith(() => wrap(body))
    const error = await errorOf(model.complete({ prompt: 'p' }))
    expect(error).toMatchObject({ kind: 'quota', retryAfterMs: 2000 })
    expect(error.message).toMatch(/: Slow down\.$/)
  })

  it('reports a stream that breaks off', async () => {
    const { model } = chatWith(stream([chunk([{ text: 'Half' }])], { atEnd: 'break' }))
    const call = model.chat({ messages: [{ role: 'user', content: 'x' }], onText: () => {} })
    expect(await errorOf(call)).toMatchObject({ kind: 'network' })
  })
})

describe('errors of the connection', () => {
  it('reports a server that is not there', async () => {
    const { baseUrl } = await loopback(() => {}).then(async (server) => {
      await server[Symbol.asyncDispose]()
      return server
    })
    const model = createGeminiCompletion({ model: 'gemini-2.5-flash', apiKey: testKey, baseUrl })
    expect(await errorOf(model.complete({ prompt: 'p' }))).toMatchObject({ kind: 'network' })
  })

  it('reports a connection that is reset before and within the answer', async () => {
    let requests = 0
    await using server = await loopback((_request, response) => {
      if (requests++ === 0) response.socket?.resetAndDestroy()
      else {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write('{"candidates":[', () => response.socket?.resetAndDestroy())
      }
    })
    const model = createGeminiCompletion({
      model: 'gemini-2.5-flash',
      apiKey: testKey,
      baseUrl: server.baseUrl,
    })
    expect(await errorOf(model.complete({ prompt: 'p' }))).toMatchObject({ kind: 'network' })
    expect(await errorOf(model.complete({ prompt: 'p' }))).toMatchObject({ kind: 'network' })
    expect(requests).toBe(2)
  })

  it.each([
    [
      'timeout',
      new TypeError('fetch failed', { cause: coded('Headers Timeout Error', 'UND_ERR_HEADERS_TIMEOUT') }),
    ],
    ['timeout', coded('connect ETIMEDOUT 127.0.0.1:1', 'ETIMEDOUT')],
    ['timeout', new DOMException('This operation was aborted', 'AbortError')],
    ['network', coded('read ECONNRESET', 'ECONNRESET')],
    ['network', coded('other side closed', 'UND_ERR_SOCKET')],
    ['network', new TypeError('Failed to fetch')],
    ['unknown', new TypeError("Cannot read properties of undefined (reading 'parts')")],
    ['unknown', coded('Invalid URL', 'ERR_INVALID_URL')],
  ])('is a %s when the injected fetch says: %s', async (kind, thrown) => {
    const { model } = completionWith(() => Promise.reject(thrown))
    expect(await errorOf(model.complete({ prompt: 'p' }))).toMatchObject({ kind })
  })
})

describe('keys in errors', () => {
  it.each<[string, Reply]>([
    ['the service repeats', failure(400, 'INVALID_ARGUMENT', `API key ${testKey} not valid.`)],
    ['a page of a gateway repeats', () => new Response(`no: ${testKey}`, { status: 502 })],
    [
      'the connection repeats',
      () => Promise.reject(new TypeError('fetch failed', { cause: new Error(`bad header ${testKey}`) })),
    ],
    ['a thrown text repeats', () => Promise.reject(`refused ${testKey}`)],
  ])('are removed when %s them', async (_name, reply) => {
    const { model } = completionWith(reply)
    const error = await errorOf(model.complete({ prompt: 'p' }))
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(testKey)
    expect(error.cause).toBeDefined()
  })

  it('are removed when the key itself is refused as a header', async () => {
    const apiKey = 'secret-part-1\nsecret-part-2'
    const { model } = completionWith(answer([{ text: 'x' }]), { apiKey })
    const error = await errorOf(model.complete({ prompt: 'p' }))
    expect(inspect(error, { depth: 10 })).not.toMatch(/secret-part/)
  })

  it('are removed by their shape when they belong to a client of the host', async () => {
    const shaped = `AIza${'x'.repeat(35)}`
    const reply = failure(403, 'PERMISSION_DENIED', `${shaped} and https://x/?key=abcdefgh and ${testKey}`)
    const { fetch } = fakeGemini(reply)
    const client = new GoogleGenAI({
      vertexai: false,
      apiKey: testKey,
      apiVersion: 'v1beta',
      httpOptions: { fetch },
    })
    const error = await errorOf(
      createGeminiCompletion({ model: 'gemini-2.5-flash', client }).complete({ prompt: 'p' }),
    )
    for (const secret of [shaped, 'abcdefgh', testKey])
      expect(inspect(error, { depth: 10 })).not.toContain(secret)
    expect(error.message).toContain('[REDACTED')
  })
})
