import type { AssistantMessage, Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { answer, failure } from './support/fake-openai.ts'
import { chatWith } from './support/models.ts'

const openAi = { baseUrl: 'https://api.openai.com/v1' }
const question: Message = { role: 'user', content: 'Go on.' }

async function sent(messages: Message[], options = {}) {
  const { model, requests } = chatWith(answer({ content: 'x' }), options)
  await model.chat({ messages })
  return requests[0]?.body.messages
}

describe('messages on the wire', () => {
  it('have nothing of ours, and are not changed here', async () => {
    const extras = { id: 'm1', providerData: { gemini: { reasoning: [] } } }
    const assistant: AssistantMessage = {
      role: 'assistant',
      content: [{ type: 'text', text: 'Hm.', ...{ providerData: {} } }],
      tool_calls: [
        { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' }, providerData: { gemini: {} } },
      ],
      ...extras,
    }
    const messages: Message[] = [
      { role: 'system', content: 'Be kind.', ...extras },
      { role: 'user', content: 'Hello', name: 'ada', ...extras },
      assistant,
      { role: 'tool', tool_call_id: 'c', content: 'ok', ...extras },
      question,
    ]
    const before = structuredClone(messages)
    expect(await sent(messages, openAi)).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hello', name: 'ada' },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'Hm.' }],
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'ok' },
      question,
    ])
    expect(messages).toEqual(before)
  })

  it('keep what only their server knows', async () => {
    const part = { type: 'text', text: 'Long.', cache_control: { type: 'ephemeral' } }
    const message = { role: 'user', content: [part], prefix: true } as Message
    expect(await sent([message])).toEqual([message])
  })

  it('are one text each where parts say no more than that, because DeepSeek and many templates take no list', async () => {
    const text = (said: string) => ({ type: 'text' as const, text: said })
    const image = { type: 'image_url' as const, image_url: { url: 'https://x/a.png' } }
    const parts: Message[] = [
      { role: 'system', content: [text('Be kind.'), text('Be short.')] },
      { role: 'user', content: [text('What is it?'), image] },
      { role: 'tool', tool_call_id: 'c', content: [text('cents')] },
    ]
    expect(await sent(parts)).toEqual([
      { role: 'system', content: 'Be kind.\nBe short.' },
      parts[1],
      { role: 'tool', tool_call_id: 'c', content: 'cents' },
    ])
    expect(await sent(parts, openAi)).toEqual(parts)
  })

  it('have the role "developer" for OpenAI only', async () => {
    const developer: Message = { role: 'developer', content: 'Be brief.' }
    expect(await sent([developer, question], openAi)).toMatchObject([{ role: 'developer' }, {}])
    expect(await sent([developer, question])).toMatchObject([{ role: 'system', content: 'Be brief.' }, {}])
  })

  it('have no half characters', async () => {
    const cut = { role: 'user', content: 'a 🏯'.slice(0, 3) } as const
    expect(await sent([cut])).toEqual([{ role: 'user', content: 'a \uFFFD' }])
    expect(await sent([{ role: 'user', content: '\\ud83d 🏯' }])).toEqual([
      { role: 'user', content: '\\ud83d 🏯' },
    ])
  })
})

describe('a server that refuses the name of the output limit', () => {
  it.each<[string, object, string, string]>([
    [
      'max_tokens',
      {},
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_completion_tokens',
    ],
    [
      'max_completion_tokens',
      openAi,
      'Unrecognized request argument supplied: max_completion_tokens',
      'max_tokens',
    ],
  ])('%s is asked with the other, and from then on', async (first, options, message, second) => {
    const { model, requests } = chatWith([failure(400, message), answer({ content: 'x' })], options)
    await model.chat({ messages: [question], maxOutputTokens: 9 })
    await model.chat({ messages: [question], maxOutputTokens: 9 })
    const names = requests.map(({ body }) => Object.keys(body).find((key) => key.startsWith('max_')))
    expect(names).toEqual([first, second, second])
  })
})

describe('a server that wants reasoning with every answer', () => {
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } } as const
  const reasoning = { reasoning_content: 'Hm.' }
  const messages: Message[] = [
    question,
    { role: 'assistant', content: null, tool_calls: [call], providerData: { openai: { reasoning } } },
    { role: 'tool', tool_call_id: 'c', content: 'ok' },
    { role: 'assistant', content: 'What a compaction left.' },
    question,
  ]
  const told = (body?: { messages: Record<string, unknown>[] }) =>
    body?.messages.filter(({ role }) => role === 'assistant').map((message) => message.reasoning_content)

  it.each([
    'Missing `reasoning_content` field in the assistant message at message index 3.',
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
  ])('gets an empty one where there is none, after: %s', async (message) => {
    const { model, requests } = chatWith([failure(400, message), answer({ content: 'x' })])
    await model.chat({ messages })
    expect(requests.map(({ body }) => told(body))).toEqual([
      ['Hm.', undefined],
      ['Hm.', ''],
    ])
  })

  it('is known beforehand when it is DeepSeek', async () => {
    const { model, requests } = chatWith(answer({ content: 'x' }), { baseUrl: 'https://api.deepseek.com' })
    await model.chat({ messages })
    expect(told(requests[0]?.body)).toEqual(['Hm.', ''])
  })
})
