import { FakeListChatModel } from '@langchain/core/utils/testing'
import { InvalidOptionError, ModelError } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { createLangChainCompletion } from '../src/index.ts'
import { scriptedModel, tooLong, type WireAnswer } from './support/scripted-provider.ts'

const complete = async (answer: WireAnswer) => {
  const { model, requests } = await scriptedModel(() => answer)
  const result = createLangChainCompletion(model).complete({ system: 'Be brief.', prompt: 'Sum it up.' })
  return { result, requests }
}

it('answers a prompt with a text and its usage', async () => {
  const { result, requests } = await complete('Three fixes.')
  const { text, finishReason, usage } = await result
  expect([text, finishReason, usage?.completionTokens]).toEqual(['Three fixes.', 'stop', 7])
  expect(requests[0]?.messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Sum it up.' },
  ])
  const { model } = await scriptedModel(() => '')
  expect(createLangChainCompletion(model).name).toBe('ChatOpenAI:scripted')
})

it.each<[WireAnswer, string]>([
  ['', 'empty'],
  [tooLong(4_000), 'context-overflow'],
  [{ status: 401, message: 'Incorrect API key provided: sk-scripted0000000000000000' }, 'auth'],
  [{ status: 429, message: 'Please try again in 20s.' }, 'quota'],
  [{ status: 503, message: 'busy' }, 'overloaded'],
  [{ text: 'Three', finish: 'length' }, 'truncated'],
  [{ text: 'Three', finish: 'content_filter' }, 'blocked'],
])('rejects with what went wrong: %j is %s', async (answer, kind) => {
  const { result } = await complete(answer)
  const error = await result.catch((thrown: unknown) => thrown)
  if (!ModelError.isInstance(error)) throw error
  expect(error.kind).toBe(kind)
  if (kind === 'context-overflow') expect(error.contextLength).toBe(4_000)
  if (kind === 'quota') expect(error.retryAfterMs).toBe(20_000)
  expect(JSON.stringify([error.message, String(error.cause)])).not.toContain('sk-scripted0')
})

it('ends with the reason of its signal, at once', async () => {
  const model = new FakeListChatModel({ responses: ['late'], sleep: 600_000 })
  const controller = new AbortController()
  const answer = createLangChainCompletion(model).complete({
    prompt: 'Sum it up.',
    signal: controller.signal,
  })
  controller.abort(new Error('enough'))
  await expect(answer).rejects.toThrow('enough')
})

it('ends by the limit that it was given', async () => {
  const model = new FakeListChatModel({ responses: ['late'], sleep: 600_000 })
  await expect(
    createLangChainCompletion(model, { timeoutMs: 20 }).complete({ prompt: 'Sum it up.' }),
  ).rejects.toMatchObject({ kind: 'timeout', message: expect.stringContaining('in 0.02 s') })
  expect(() => createLangChainCompletion(model, { timeoutMs: 0 })).toThrow(InvalidOptionError)
})
