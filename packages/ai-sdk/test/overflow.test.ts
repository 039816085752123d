import compressor from '@palimpsest/compressor'
import { ContextOverflowError } from '@palimpsest/core'
import { APICallError, generateText, isStepCount, type ModelMessage, streamText, wrapLanguageModel } from 'ai'
import { describe, expect, it } from 'vitest'
import { contextEngine } from '../src/index.ts'
import { chatter, compactions, listen, read, summariser } from './support/conversation.ts'
import { type Call, type Content, call, mockModel, promptTokens } from './support/mock-model.ts'

/** OpenAI's refusal of a long prompt; the AI SDK does not repeat such a call. */
function refusal(window: number, tokens: number): APICallError {
  return new APICallError({
    message: `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens.`,
    url: 'https://api.example.com/v1/chat/completions',
    requestBodyValues: {},
    statusCode: 400,
  })
}

/** A model whose window is smaller than the application believes. */
function smallModel(window: number, answer: (call: Call, index: number) => string | Content[]) {
  return mockModel((request, index) => {
    const tokens = promptTokens(request)
    if (tokens > window) throw refusal(window, tokens)
    return answer(request, index)
  })
}

const question: ModelMessage = { role: 'user', content: 'In what do we count?' }

describe.each(['generateText', 'streamText'] as const)('a prompt that the provider of %s refuses', (how) => {
  const run = async (input: Parameters<typeof generateText>[0]): Promise<string> => {
    if (how === 'generateText') return (await generateText(input)).text
    let failure: unknown
    const result = streamText({
      ...input,
      onError: ({ error }) => {
        failure = error
      },
    })
    await result.consumeStream()
    if (failure !== undefined) throw failure
    return result.text
  }

  it('is sent again, smaller, in the middle of a loop too, and the real window is learned', async () => {
    const context = contextEngine({ engine: compressor, contextLength: 100_000, model: summariser })
    const events = listen(context)
    const { model, calls } = smallModel(8_000, (_, index) =>
      index < 30 ? [call(`read-${index}`, 'read', { path: `${index}` })] : 'Cents.',
    )
    const { prepareStep, onStepEnd, middleware } = context
    const text = await run({
      model: wrapLanguageModel({ model, middleware }),
      instructions: 'You are a coding agent.',
      messages: [question],
      tools: { read },
      stopWhen: isStepCount(50),
      prepareStep,
      onStepEnd,
    })
    expect(text).toBe('Cents.')
    const recovered = events.filter((event) => event.type === 'compaction' && event.trigger === 'overflow')
    // Once: from then on the session knows the window.
    expect(recovered).toHaveLength(1)
    expect(calls.filter((request) => promptTokens(request) > 8_000)).toHaveLength(1)
    expect(compactions(events)).toBeGreaterThan(1)
  })

  it('is an error that says why when nothing more can go', async () => {
    const context = contextEngine({ engine: compressor, contextLength: 100_000, model: summariser })
    const { model } = smallModel(100, () => 'Cents.')
    const { prepareStep, middleware } = context
    const messages = [...chatter(40), question]
    const failed = run({
      model: wrapLanguageModel({ model, middleware }),
      messages,
      prepareStep,
      maxRetries: 0,
    })
    await expect(failed).rejects.toSatisfy(ContextOverflowError.isInstance)
    expect(context.session.transcript).toHaveLength(81)
  })
})

it('is none of the session’s business when the request was another one', async () => {
  const context = contextEngine({ engine: compressor, contextLength: 100_000 })
  const events = listen(context)
  const { model: small } = smallModel(500, () => 'Cents.')
  const model = wrapLanguageModel({ model: small, middleware: context.middleware })
  await generateText({ model, messages: [question], prepareStep: context.prepareStep })
  const other = generateText({ model, prompt: 'Another conversation. '.repeat(200) })
  await expect(other).rejects.toSatisfy(APICallError.isInstance)
  expect(compactions(events)).toBe(0)
})
