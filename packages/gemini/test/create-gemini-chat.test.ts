import type { Message, ToolSchema } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { errorOf } from '../../provider-utils/test/support/fake-server.ts'
import { answer } from './support/fake-gemini.ts'
import { chatWith } from './support/models.ts'

const weather: ToolSchema = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'The weather in a city',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
}

const question: Message = { role: 'user', content: 'Weather in Oslo and Rome?' }

describe('createGeminiChat', () => {
  it('calls tools in parallel and takes their results, with signatures kept over both turns', async () => {
    const { model, requests } = chatWith([
      answer([
        { text: 'Two cities.' },
        { functionCall: { name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'c2lnLTE=' },
        { functionCall: { name: 'weather', args: { city: 'Rome' } } },
      ]),
      answer([{ text: 'Oslo -3, Rome 14.', thoughtSignature: 'c2lnLTI=' }]),
      answer([{ text: 'Yes.' }]),
    ])
    const first = await model.chat({ messages: [question], tools: [weather] })
    const calls = first.message.tool_calls ?? []
    expect(first.finishReason).toBe('tool-calls')
    expect(first.message.content).toBe('Two cities.')
    expect(calls.map((call) => call.type === 'function' && call.function)).toEqual([
      { name: 'weather', arguments: '{"city":"Oslo"}' },
      { name: 'weather', arguments: '{"city":"Rome"}' },
    ])
    expect(calls[0]?.providerData).toEqual({ gemini: { thoughtSignature: 'c2lnLTE=' } })
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2)

    // Results come back in any order; Gemini pairs them by position.
    const results: Message[] = [
      { role: 'tool', tool_call_id: calls[1]?.id ?? '', content: '{"celsius":14}' },
      { role: 'tool', tool_call_id: calls[0]?.id ?? '', content: 'minus three' },
    ]
    const messages = [question, first.message, ...results]
    const second = await model.chat({ messages, tools: [weather] })
    expect(requests[1]?.body.contents).toEqual([
      { role: 'user', parts: [{ text: 'Weather in Oslo and Rome?' }] },
      {
        role: 'model',
        parts: [
          { text: 'Two cities.' },
          { functionCall: { name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'c2lnLTE=' },
          { functionCall: { name: 'weather', args: { city: 'Rome' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'weather', response: { output: 'minus three' } } },
          { functionResponse: { name: 'weather', response: { celsius: 14 } } },
        ],
      },
    ])
    expect(second.message.content).toEqual([
      { type: 'text', text: 'Oslo -3, Rome 14.', providerData: { gemini: { thoughtSignature: 'c2lnLTI=' } } },
    ])

    await model.chat({ messages: [...messages, second.message, { role: 'user', content: 'Sure?' }] })
    expect(requests[2]?.body.contents[3]).toEqual({
      role: 'model',
      parts: [{ text: 'Oslo -3, Rome 14.', thoughtSignature: 'c2lnLTI=' }],
    })
  })

  it('declares tools with their JSON Schema unchanged', async () => {
    const { model, requests } = chatWith(answer([{ text: 'x' }]))
    await model.chat({
      messages: [question],
      tools: [weather, { type: 'function', function: { name: 'now' } }],
    })
    expect(requests[0]?.body.tools).toEqual([
      {
        functionDeclarations: [
          {
            name: 'weather',
            description: 'The weather in a city',
            parametersJsonSchema: weather.function.parameters,
          },
          { name: 'now' },
        ],
      },
    ])
  })

  it('sends ids back that Gemini gave, and renames one that the conversation has already', async () => {
    const { model, requests } = chatWith(
      answer([
        { functionCall: { id: 'abc', name: 'f', args: {} }, thoughtSignature: 'cw==' },
        { functionCall: { id: 'old', name: 'f', args: {} } },
      ]),
    )
    const before: Message[] = [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'old', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'old', content: 'done' },
    ]
    const { message } = await model.chat({ messages: before })
    const ids = message.tool_calls?.map(({ id }) => id) ?? []
    expect(ids[0]).toBe('abc')
    expect(ids[1]).not.toBe('old')
    const results = ids.map((id): Message => ({ role: 'tool', tool_call_id: id, content: 'ok' }))
    await model.chat({ messages: [...before, message, ...results] })
    const parts = requests[1]?.body.contents[3]?.parts
    expect(parts?.map(({ functionCall }) => functionCall?.id)).toEqual(['abc', 'old'])
  })

  it('keeps thoughts beside the message, never in its text', async () => {
    const { model, requests } = chatWith(
      answer([
        { text: 'They want weather.', thought: true },
        { text: 'Signed.', thought: true, thoughtSignature: 'dA==' },
        { text: 'Sunny.' },
      ]),
    )
    const { message } = await model.chat({ messages: [question] })
    expect(message).toEqual({
      role: 'assistant',
      content: 'Sunny.',
      providerData: {
        gemini: {
          reasoning: [{ text: 'They want weather.' }, { text: 'Signed.', thoughtSignature: 'dA==' }],
        },
      },
    })
    await model.chat({ messages: [question, message, question] })
    expect(requests[1]?.body.contents[1]?.parts).toEqual([
      { text: 'Signed.', thought: true, thoughtSignature: 'dA==' },
      { text: 'Sunny.' },
    ])
  })

  it.each([
    ['MAX_TOKENS', 'length'],
    ['CONTINUATION', 'length'],
    ['SAFETY', 'content-filter'],
    ['OTHER', 'other'],
  ])('returns what came before %s, and says why it ended', async (finishReason, expected) => {
    const { model, requests } = chatWith(answer([{ text: 'Half' }], { finishReason }))
    const response = await model.chat({ messages: [question] })
    expect(response).toMatchObject({ finishReason: expected, message: { content: 'Half' } })
    expect(requests).toHaveLength(1)
  })

  it.each([
    ['MAX_TOKENS', 'truncated'],
    ['SAFETY', 'blocked'],
    ['STOP', 'empty'],
    ['OTHER', 'empty'],
    ['MALFORMED_FUNCTION_CALL', 'empty'],
    ['UNEXPECTED_TOOL_CALL', 'empty'],
  ])('rejects when nothing came before %s', async (finishReason, kind) => {
    const { model } = chatWith(answer([], { finishReason }))
    const error = await errorOf(model.chat({ messages: [question] }))
    expect(error).toMatchObject({ name: 'ModelError', kind })
  })
})
