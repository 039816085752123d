import { describe, expect, it } from 'vitest'
import { readTranscript } from '../src/index.ts'
import { outline, withFile } from './support/recording.ts'

const read = (value: unknown) => withFile(JSON.stringify(value), (path) => readTranscript(path))

const use = (id: string, name = 'read', input: unknown = { path: 'a.ts' }) => ({
  type: 'tool_use',
  id,
  name,
  input,
})
const result = (id: string, content: unknown, more: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
})
const CONVERSATION = [
  { role: 'user', content: 'Which port?' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'I look.', signature: 's' },
      { type: 'text', text: 'I look it up.' },
      use('toolu_1'),
      use('toolu_2'),
    ],
    model: 'claude-test',
    usage: {
      input_tokens: 10,
      cache_read_input_tokens: 90,
      cache_creation_input_tokens: 0,
      output_tokens: 5,
    },
  },
  {
    role: 'user',
    content: [
      result('toolu_2', [{ type: 'text', text: 'no such file' }], { is_error: true }),
      result('toolu_1', 'port = 4711'),
      { type: 'text', text: 'Hurry.' },
    ],
  },
  { role: 'assistant', content: 'It is 4711.' },
]

describe("messages in Anthropic's shape", () => {
  it('are read from a JSON array, with calls, results, reasoning and usage', async () => {
    const transcript = await read(CONVERSATION)
    expect(transcript.format).toBe('anthropic')
    expect(outline(transcript)).toEqual([
      'user: Which port?',
      'assistant: I look it up. toolu_1 toolu_2',
      'tool toolu_2: no such file',
      'tool toolu_1: port = 4711',
      'user: Hurry.',
      'assistant: It is 4711.',
    ])
    const [, call, failed] = transcript.entries
    expect(call?.message).toMatchObject({
      tool_calls: [{ function: { name: 'read', arguments: '{"path":"a.ts"}' } }, {}],
      providerData: { anthropic: { reasoning: [{ type: 'thinking', thinking: 'I look.', signature: 's' }] } },
    })
    expect(call?.usage).toMatchObject({ promptTokens: 100, cacheReadTokens: 90 })
    expect(failed?.message.providerData).toEqual({ transcript: { isError: true } })
    expect(transcript.model).toBe('claude-test')
    expect([transcript.malformed, transcript.skipped]).toEqual([[], []])
  })

  it('are read from the body of a request, with its system prompt', async () => {
    const cached = [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }]
    for (const system of ['Be brief.', cached]) {
      const body = {
        model: 'claude-test',
        max_tokens: 99,
        system,
        tools: [],
        messages: CONVERSATION.slice(0, 1),
      }
      const transcript = await read(body)
      expect(transcript.format).toBe('anthropic')
      expect(transcript.entries.map(({ message }) => message.role)).toEqual(['system', 'user'])
      expect(JSON.stringify(transcript.entries[0]?.message)).toContain('Be brief.')
      expect(transcript.model).toBe('claude-test')
    }
  })

  it('stay those of OpenAI when they have its calls or results', async () => {
    const { format } = await read([
      { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://a.test' } }] },
      { role: 'assistant', content: null, tool_calls: [] },
    ])
    expect(format).toBe('openai')
  })

  it.each<[string, unknown, RegExp]>([
    [
      'a call without a name',
      { role: 'assistant', content: [{ type: 'tool_use', id: 'x' }] },
      /a tool call without a name/,
    ],
    [
      'a result for nothing',
      { role: 'user', content: [{ type: 'tool_result', content: 'x' }] },
      /without a tool_use_id/,
    ],
    ['content of another type', { role: 'user', content: 42 }, /neither text nor a list of blocks/],
    ['no object', 'hello', /not a message object/],
  ])('name what cannot be read: %s', async (_, odd, reason) => {
    const { malformed, entries } = await read([...CONVERSATION, odd])
    expect(malformed).toEqual([{ line: 5, reason: expect.stringMatching(reason) }])
    expect(entries).toHaveLength(6)
  })
})
