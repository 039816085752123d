import type { Message, ToolSchema } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { errorOf, json } from '../../provider-utils/test/support/fake-server.ts'
import { answer, chunk, counts, type Reply, stream } from './support/fake-openai.ts'
import { chatWith } from './support/models.ts'

const weather: ToolSchema = {
  type: 'function',
  function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
}
const question: Message = { role: 'user', content: 'Weather in Oslo and Rome?' }
const call = (id: string | undefined, args: unknown = '{}', more: object = {}) => ({
  ...(id === undefined ? {} : { id }),
  type: 'function',
  function: { name: 'weather', arguments: args },
  ...more,
})
const onText = () => {}

describe('createOpenAiChat', () => {
  it('calls tools in parallel and takes their results', async () => {
    const { model, requests } = chatWith([
      answer({ content: 'Two cities.', tool_calls: [call('a', '{"city":"Oslo"}'), call('b')] }, 'tool_calls'),
      answer({ content: 'Oslo -3, Rome 14.' }),
    ])
    const first = await model.chat({ messages: [question], tools: [weather], maxOutputTokens: 100 })
    expect(first).toEqual({
      message: {
        role: 'assistant',
        content: 'Two cities.',
        tool_calls: [call('a', '{"city":"Oslo"}'), call('b')],
      },
      finishReason: 'tool-calls',
      usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
    })
    const results: Message[] = ['a', 'b'].map((id) => ({ role: 'tool', tool_call_id: id, content: 'ok' }))
    const second = await model.chat({ messages: [question, first.message, ...results], tools: [weather] })
    expect(second.message).toEqual({ role: 'assistant', content: 'Oslo -3, Rome 14.' })
    expect(requests.map(({ body }) => body)).toEqual([
      { model: 'm', messages: [question], tools: [weather], max_tokens: 100 },
      { model: 'm', messages: [question, first.message, ...results], tools: [weather] },
    ])
    expect(requests[0]?.url).toBe('http://localhost:11434/v1/chat/completions')
    expect(model.name).toBe('openai:m')
  })

  it('gives ids to calls that have none or one that is taken, and the same ones each time', async () => {
    const reply = answer({ tool_calls: [call(undefined), call(''), call('call_0')] }, 'stop')
    const before: Message[] = [
      question,
      { role: 'assistant', content: null, tool_calls: [call('call_0')] } as Message,
      { role: 'tool', tool_call_id: 'call_0', content: 'ok' },
    ]
    const { model } = chatWith(reply)
    const once = await model.chat({ messages: before })
    expect(await model.chat({ messages: before })).toEqual(once)
    const ids = once.message.tool_calls?.map(({ id }) => id) ?? []
    expect(new Set([...ids, 'call_0', ''])).toHaveProperty('size', 5)
    // Some servers say "stop" for an answer that calls tools.
    expect(once.finishReason).toBe('tool-calls')
  })

  it('takes arguments that are an object, and none at all', async () => {
    const { model } = chatWith(answer({ tool_calls: [call('a', { city: 'Oslo' }), call('b', '')] }))
    const { message } = await model.chat({ messages: [question] })
    expect(message.tool_calls).toEqual([call('a', '{"city":"Oslo"}'), call('b', '{}')])
  })

  it('keeps a refusal', async () => {
    const { model, requests } = chatWith([answer({ refusal: 'I cannot help.' }), answer({ content: 'x' })])
    const { message } = await model.chat({ messages: [question] })
    expect(message).toEqual({ role: 'assistant', content: null, refusal: 'I cannot help.' })
    await model.chat({ messages: [question, message, question] })
    expect(requests[1]?.body.messages[1]).toEqual(message)
  })

  it.each<[string, string]>([
    ['length', 'length'],
    ['error', 'other'],
    ['content_filter', 'content-filter'],
    ['something new', 'other'],
  ])('returns what came before "%s", and says why it ended', async (finishReason, expected) => {
    const { model } = chatWith(answer({ content: 'Half' }, finishReason))
    expect(await model.chat({ messages: [question] })).toMatchObject({
      finishReason: expected,
      message: { content: 'Half' },
    })
  })

  it.each([
    ['length', 'length', 'truncated'],
    ['abort', 'other', 'overloaded'],
  ])('drops the call that "%s" cut, and keeps those before it', async (ended, expected, kind) => {
    const calls = [call('a', '{"city":"Oslo"}'), call('b', '{"city":"Ro')]
    const { model } = chatWith([
      answer({ tool_calls: calls }, ended),
      answer({ tool_calls: calls.slice(1) }, ended),
    ])
    const { message, finishReason } = await model.chat({ messages: [question] })
    expect(message.tool_calls).toEqual(calls.slice(0, 1))
    expect(finishReason).toBe(expected)
    expect(await errorOf(model.chat({ messages: [question] }))).toMatchObject({ kind })
  })

  it.each<[string, Reply, string]>([
    ['nothing before the limit', answer({ content: '' }, 'length'), 'truncated'],
    ['nothing before a filter', answer({}, 'content_filter'), 'blocked'],
    ['nothing', answer({}), 'empty'],
    ['white space', answer({ content: ' \n' }), 'empty'],
    ['only reasoning', answer({ reasoning_content: 'Hm.' }), 'empty'],
    ['no choice', json({ id: 'x', choices: [] }), 'empty'],
    ['an object of another kind', json({ ok: true }), 'empty'],
    ['a call without a name', answer({ tool_calls: [{ id: 'a', function: {} }] }), 'empty'],
  ])('rejects an answer with %s', async (_name, reply, kind) => {
    const error = await errorOf(chatWith(reply).model.chat({ messages: [question] }))
    expect(error).toMatchObject({ name: 'ModelError', kind })
  })
})

describe('reasoning', () => {
  const reasoning_details = [
    { type: 'reasoning.text', text: 'They want ', index: 0 },
    { type: 'reasoning.text', text: 'weather.', signature: 'c2ln', index: 0 },
    { type: 'reasoning.encrypted', data: 'eA==', index: 1 },
  ]
  const pieces = reasoning_details.map((detail) => chunk({ reasoning_details: [detail] }))

  it('goes back with the calls that it led to, in the fields in which it came', async () => {
    const signed = { extra_content: { google: { thought_signature: 'c2ln' } } }
    const { model, requests } = chatWith([
      stream([
        chunk({ reasoning_content: 'They ' }),
        chunk({ reasoning_content: 'want.' }),
        ...pieces,
        chunk({ tool_calls: [call('a', '{}', { index: 0, ...signed })] }, 'tool_calls'),
        counts,
      ]),
      answer({ content: 'x' }),
    ])
    const { message } = await model.chat({ messages: [question], onText })
    expect(message.content).toBeNull()
    await model.chat({
      messages: [question, message, { role: 'tool', tool_call_id: 'a', content: 'ok' }],
    })
    expect(requests[1]?.body.messages[1]).toEqual({
      role: 'assistant',
      content: null,
      reasoning_content: 'They want.',
      reasoning_details: [
        { type: 'reasoning.text', text: 'They want weather.', signature: 'c2ln', index: 0 },
        { type: 'reasoning.encrypted', data: 'eA==', index: 1 },
      ],
      tool_calls: [call('a', '{}', signed)],
    })
  })

  it('stays here without calls, and goes to no other server', async () => {
    const thought = { reasoning: 'Hm.', tool_calls: [call('a', '{}', { extra_content: {} })] }
    const local = chatWith([answer({ ...thought }), answer({ content: 'x', reasoning: 'Hm.' })])
    const called = (await local.model.chat({ messages: [question] })).message
    const said = (await local.model.chat({ messages: [question] })).message
    expect(said).toMatchObject({
      content: 'x',
      providerData: { openai: { reasoning: { reasoning: 'Hm.' } } },
    })
    await local.model.chat({ messages: [question, said, question] })
    expect(local.requests[2]?.body.messages[1]).toEqual({ role: 'assistant', content: 'x' })
    const openAi = chatWith(answer({ content: 'x' }), { baseUrl: 'https://api.openai.com/v1' })
    await openAi.model.chat({
      messages: [question, called, { role: 'tool', tool_call_id: 'a', content: 'ok' }],
    })
    expect(openAi.requests[0]?.body.messages[1]).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [call('a')],
    })
  })
})
