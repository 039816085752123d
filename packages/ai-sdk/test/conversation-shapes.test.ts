import compressor from '@palimpsest/compressor'
import type { Message } from '@palimpsest/core'
import {
  experimental_createSteering as createSteering,
  generateText,
  isStepCount,
  type ModelMessage,
} from 'ai'
import { describe, expect, it } from 'vitest'
import { contextEngine, fromModelMessages, toModelMessages } from '../src/index.ts'
import { compactions, listen, read, summariser } from './support/conversation.ts'
import { call, mockModel } from './support/mock-model.ts'

const question: ModelMessage = { role: 'user', content: 'In what do we count?' }

it.each([false, true])(
  'knows what the user says while a loop runs (messages changed behind it: %s)',
  async (isMarked) => {
    const context = contextEngine({ engine: compressor, contextLength: 8_000, model: summariser })
    const events = listen(context)
    const steering = createSteering()
    const { model, calls } = mockModel((_, index) => {
      if (index === 3) void steering.steer('Look at the tests, too.')
      return index < 20 ? [call(`read-${index}`, 'read', { path: `${index}` })] : 'Cents.'
    })
    const { steps } = await generateText({
      model,
      messages: [question],
      tools: { read },
      stopWhen: isStepCount(50),
      experimental_steering: steering,
      onStepEnd: context.onStepEnd,
      async prepareStep(step) {
        const result = await context.prepareStep(step)
        if (!isMarked) return result
        const { messages = step.messages } = result ?? {}
        return { messages: messages.map((message) => ({ ...message, providerOptions: { a: { b: 1 } } })) }
      },
    })
    expect(steps.flatMap((step) => step.experimental_steeringMessages ?? [])).toHaveLength(1)
    expect(compactions(events)).toBeGreaterThan(0)
    expect(events.filter(({ type }) => type === 'edited')).toEqual([])
    const { transcript } = context.session
    expect(transcript.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      question.content,
      'Look at the tests, too.',
    ])
    expect(JSON.stringify(calls.at(-1)?.prompt)).toContain('Look at the tests, too.')
  },
)

it('answers a call for which the application has no result, instead of failing', async () => {
  const context = contextEngine({ engine: compressor, contextLength: 8_000 })
  const { model, calls } = mockModel(() => 'Cents.')
  const messages: ModelMessage[] = [
    question,
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: '1', toolName: 'read', input: {} }] },
    question,
  ]
  await generateText({ model, messages, prepareStep: context.prepareStep })
  expect(calls[0]?.prompt[2]).toMatchObject({
    role: 'tool',
    content: [{ toolCallId: '1', toolName: 'read', output: { type: 'text' } }],
  })
})

describe('a shortened result', () => {
  it('stays with the results of the calls that were made with it, in one tool message', () => {
    const results = ['1', '2', '3'].map((toolCallId) => ({
      type: 'tool-result' as const,
      toolCallId,
      toolName: 'read',
      output: { type: 'json' as const, value: { long: true } },
    }))
    const calls = results.map(({ toolCallId, toolName }) => ({
      type: 'tool-call' as const,
      toolCallId,
      toolName,
      input: {},
    }))
    const messages: ModelMessage[] = [
      { role: 'assistant', content: calls },
      { role: 'tool', content: results },
    ]
    const wire = fromModelMessages(messages)
    expect(wire.map(({ role }) => role)).toEqual(['assistant', 'tool', 'tool', 'tool'])
    const shortened = wire.map((message, index) =>
      index === 2 ? ({ ...message, content: '[cleared]' } as Message) : message,
    )
    expect(toModelMessages(shortened)).toEqual([
      messages[0],
      {
        role: 'tool',
        content: [results[0], { ...results[1], output: { type: 'text', value: '[cleared]' } }, results[2]],
      },
    ])
  })
})

describe('images and files', () => {
  const bytes = new Uint8Array([137, 80, 78, 71])

  it('are counted as what they are, and their bytes come back as base64', () => {
    const [wire] = fromModelMessages([
      {
        role: 'user',
        content: [
          { type: 'image', image: bytes },
          { type: 'file', mediaType: 'application/pdf', data: { type: 'data', data: bytes.buffer } },
          { type: 'file', mediaType: 'audio/wav', data: bytes },
        ],
      },
    ])
    expect(wire?.content).toMatchObject([
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } },
      { type: 'file', file: { file_data: 'data:application/pdf;base64,iVBORw==' } },
      { type: 'input_audio', input_audio: { data: 'iVBORw==', format: 'wav' } },
    ])
    expect(toModelMessages(wire === undefined ? [] : [wire])[0]?.content).toEqual([
      { type: 'image', image: 'iVBORw==' },
      { type: 'file', mediaType: 'application/pdf', data: { type: 'data', data: 'iVBORw==' } },
      { type: 'file', mediaType: 'audio/wav', data: 'iVBORw==' },
    ])
  })
})
