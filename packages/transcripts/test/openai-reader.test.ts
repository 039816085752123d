import { describe, expect, it } from 'vitest'
import { readTranscript } from '../src/index.ts'
import { fixture, outline, readRecords, skipped } from './support/recording.ts'

it('a session of Hermes Agent has its tools in the first row', async () => {
  const tool = {
    type: 'function',
    function: { name: 'terminal', description: 'Runs it', parameters: { type: 'object' } },
  }
  const transcript = await readRecords([
    { role: 'session_meta', tools: [tool], model: 'some-model', timestamp: '2026-04-22T00:54:27Z' },
    { role: 'user', content: 'Is it alive?' },
    { role: 'assistant', content: 'Yes.' },
  ])
  expect(outline(transcript)).toEqual(['user: Is it alive?', 'assistant: Yes.'])
  expect(transcript).toMatchObject({
    tools: [tool],
    model: 'some-model',
    startedAt: Date.parse('2026-04-22T00:54:27Z'),
  })
})

describe('OpenAI-style messages', () => {
  it('are read from one JSON document of many lines', async () => {
    const transcript = await readTranscript(fixture('openai.json'))
    expect(transcript.format).toBe('openai')
    expect(outline(transcript)).toEqual([
      'system: Be brief.\n\nUse tools.',
      'user: [{"type":"text","text":"Weather?"}]',
      'assistant: call_1 call_2',
      'tool call_2: rain',
      'tool call_1: sun',
      'user: The user is in a hurry.',
      'assistant: Sun in Bonn, rain in Ulm.',
    ])
    expect(transcript.model).toBe('gpt-test')
  })

  it('are read from one line each, with usage and ids', async () => {
    const usage = { prompt_tokens: 12, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 8 } }
    const { entries, model } = await readRecords([
      { role: 'user', content: 'Add 2 and 2', id: 'm1' },
      { role: 'assistant', content: '4', model: 'gpt-test', usage },
      { role: 'user', content: 'Thanks', usage: { prompt_tokens: 0, completion_tokens: 0 } },
    ])
    expect(entries.map(({ message }) => message.id)).toEqual(['m1', undefined, undefined])
    expect(entries[1]?.usage).toEqual({
      ...{ promptTokens: 12, completionTokens: 3, totalTokens: 15, cacheReadTokens: 8 },
    })
    expect(entries[2]?.usage).toBeUndefined()
    expect(model).toBe('gpt-test')
  })

  it('are the longest conversation of a file with several', async () => {
    const transcript = await readTranscript(fixture('fine-tuning.jsonl'))
    expect(outline(transcript)).toEqual(['user: two', 'assistant: 2', 'user: three', 'assistant: 3'])
    expect(skipped(transcript)).toEqual({ 'other conversation in the file': 2 })
  })

  it('survive hostile values', async () => {
    const lines = [
      '{"role":"user","content":"hi","__proto__":{"polluted":true}}',
      '{"role":"user","content":["a",null,7,{"type":"text","text":5},{"no":"type"}]}',
      '{"role":"user","content":"\\ud800"}',
      '{"role":"user","content":null}',
    ]
    const transcript = await readRecords(lines)
    expect(Object.keys(transcript.entries[0]?.message ?? {})).toContain('__proto__')
    expect('polluted' in {}).toBe(false)
    expect(transcript.entries[1]?.message.content).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: '7' },
      { type: 'text', text: '5' },
      { type: 'text', text: '{"no":"type"}' },
    ])
    expect(transcript.entries[2]?.message.content).toBe('\ud800')
    expect(skipped(transcript)).toEqual({ 'user message without content': 1 })
  })
})
