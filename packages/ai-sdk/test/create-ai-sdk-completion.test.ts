import type { Completion, CompletionCall, ModelError } from '@palimpsest/core'
import { APICallError, LoadAPIKeyError, NoSuchModelError } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { type AiSdkCompletionOptions, createAiSdkCompletion } from '../src/index.ts'

type Result = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>

const usage: Result['usage'] = {
  inputTokens: { total: 900, noCache: 100, cacheRead: 700, cacheWrite: 100 },
  outputTokens: { total: 100, text: 40, reasoning: 60 },
}

function answer(text: string, unified: Result['finishReason']['unified'] = 'stop'): Result {
  return { content: [{ type: 'text', text }], finishReason: { unified, raw: undefined }, usage, warnings: [] }
}

function modelThat(doGenerate: MockLanguageModelV4['doGenerate'] | Result) {
  return new MockLanguageModelV4({ provider: 'openai.chat', modelId: 'gpt-5', doGenerate })
}

/** The text of the model, or the error of a call that must fail. */
async function complete(
  doGenerate: MockLanguageModelV4['doGenerate'] | Result,
  options: AiSdkCompletionOptions = {},
  call: CompletionCall = { prompt: 'Summarise.' },
): Promise<Completion> {
  return createAiSdkCompletion(modelThat(doGenerate), { maxRetries: 0, ...options }).complete(call)
}

async function failure(error: unknown, options?: AiSdkCompletionOptions): Promise<ModelError> {
  return complete(() => Promise.reject(error), options).then(
    () => Promise.reject(new Error('the call did not fail')),
    (thrown: ModelError) => thrown,
  )
}

function refused(
  statusCode: number,
  message = 'no',
  responseHeaders: Record<string, string> = {},
  responseBody = '',
) {
  const url = 'https://api.example.com'
  return new APICallError({
    message,
    url,
    requestBodyValues: { key: 'hidden' },
    statusCode,
    responseHeaders,
    responseBody,
  })
}

describe('createAiSdkCompletion', () => {
  it('sends one prompt and returns the text with its usage, thoughts left out', async () => {
    const content: Result['content'] = [
      { type: 'reasoning', text: 'Let me see.' },
      { type: 'text', text: 'A short ' },
      { type: 'text', text: 'summary.' },
    ]
    const model = modelThat({ ...answer(''), content })
    const completion = createAiSdkCompletion(model, { providerOptions: { openai: { effort: 'low' } } })
    expect(completion.name).toBe('openai.chat:gpt-5')
    expect(completion).not.toHaveProperty('contextLength')
    const request = { system: 'You summarise.', prompt: 'Summarise this.', maxOutputTokens: 200 }
    expect(await completion.complete(request)).toEqual({
      text: 'A short summary.',
      finishReason: 'stop',
      usage: {
        promptTokens: 900,
        completionTokens: 100,
        totalTokens: 1_000,
        cacheReadTokens: 700,
        cacheWriteTokens: 100,
        reasoningTokens: 60,
      },
    })
    expect(model.doGenerateCalls).toMatchObject([
      {
        maxOutputTokens: 200,
        providerOptions: { openai: { effort: 'low' } },
        prompt: [
          { role: 'system', content: 'You summarise.' },
          { role: 'user', content: [{ type: 'text', text: 'Summarise this.' }] },
        ],
      },
    ])
  })

  it.each<[string, Result]>([
    ['truncated', answer('Half a', 'length')],
    ['blocked', answer('I can', 'content-filter')],
    ['empty', answer(' \n')],
    ['empty', { ...answer(''), content: [] }],
    ['unknown', answer('Half a', 'error')],
  ])('never returns a fragment: %s', async (kind, result) => {
    await expect(complete(result)).rejects.toMatchObject({ kind })
  })

  it.each([
    [refused(401), 'auth'],
    [refused(403), 'auth'],
    [new LoadAPIKeyError({ message: 'no key' }), 'auth'],
    [refused(402), 'quota'],
    [refused(429), 'quota'],
    [refused(408), 'timeout'],
    [refused(504), 'timeout'],
    [refused(500), 'overloaded'],
    [refused(529), 'overloaded'],
    [refused(413), 'context-overflow'],
    [refused(400, 'prompt is too long: 213462 tokens > 200000 maximum'), 'context-overflow'],
    [
      refused(400, 'Bad Request', {}, '{"error":{"code":"x","message":"Input is too long."}}'),
      'context-overflow',
    ],
    [refused(413, 'Request too large: tokens per minute (TPM)'), 'quota'],
    [refused(404), 'invalid-request'],
    [new NoSuchModelError({ modelId: 'gpt-0', modelType: 'languageModel' }), 'invalid-request'],
    [Object.assign(new Error('no'), { name: 'GatewayRateLimitError', statusCode: 429 }), 'quota'],
    [
      new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) }),
      'network',
    ],
    [Object.assign(new Error('slow'), { code: 'UND_ERR_HEADERS_TIMEOUT' }), 'timeout'],
    ['just a text', 'unknown'],
  ])('says what kind of failure %s is', async (error, kind) => {
    expect(await failure(error)).toMatchObject({ kind })
  })

  it('passes on what the provider says about waiting and about the window', async () => {
    expect(await failure(refused(429, 'slow down', { 'retry-after': '1.5' }))).toMatchObject({
      retryAfterMs: 1_500,
    })
    expect(await failure(refused(429, 'slow down', { 'retry-after-ms': '20' }))).toMatchObject({
      retryAfterMs: 20,
    })
    expect(await failure(refused(400, 'maximum context length is 8192 tokens'))).toMatchObject({
      contextLength: 8_192,
    })
  })

  it('tries again as the AI SDK does, and reports the last failure', async () => {
    let calls = 0
    const flaky = async () => {
      if (calls++ === 0) throw refused(503, 'busy', { 'retry-after-ms': '1' })
      return answer('At last.')
    }
    expect((await complete(flaky, { maxRetries: 1 })).text).toBe('At last.')
    expect(await failure(refused(503, 'busy', { 'retry-after-ms': '1' }), { maxRetries: 1 })).toMatchObject({
      kind: 'overloaded',
    })
  })

  it('rejects with the reason of the signal, at once, even if the model does not listen', async () => {
    const reason = new Error('the user went away')
    const controller = new AbortController()
    const call = complete(() => new Promise(() => {}), {}, { prompt: 'p', signal: controller.signal })
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    let calls = 0
    const counting = async () => {
      calls++
      return answer('x')
    }
    await expect(complete(counting, {}, { prompt: 'p', signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    )
    expect(calls).toBe(0)
  })

  it('hides keys, and what was sent', async () => {
    const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD'
    const error = await failure(refused(401, `Incorrect API key provided: ${key}.`))
    expect(error.message).toContain('Incorrect API key provided')
    for (const text of [
      error.message,
      String((error.cause as Error).message),
      (error.cause as Error).stack,
      JSON.stringify(error.cause),
    ])
      expect(text).not.toMatch(/abcdefghij|hidden/)
  })
})
