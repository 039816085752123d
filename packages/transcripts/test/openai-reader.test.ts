import { describe, expect, it } from 'vitest'
import { readTranscript } from '../src/index.ts'
import { fixture, outline, readRecords, skipped, withFile } from './support/recording.ts'

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

  it('keep fields that are not known, and say where a later system message went', async () => {
    const { entries } = await readTranscript(fixture('openai.json'))
    expect(entries[1]?.message).toMatchObject({ name: 'sam' })
    expect(entries[2]?.message).toMatchObject({
      tool_calls: [{}, { function: { name: 'weather', arguments: '{"city":"Ulm"}' } }],
    })
    expect(entries[5]?.message.providerData).toEqual({ transcript: { recordedRole: 'system' } })
    expect(entries[6]?.message).toMatchObject({ x_custom: { kept: true } })
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

  it.each([
    ['an array on one line', '[{"role":"user","content":"hi"}]'],
    ['an array over several lines', '[\n  {"role":"user","content":"hi"}\n]\n'],
    ['an array of conversations', '[{"messages":[{"role":"user","content":"hi"}]}]'],
    ['an array of arrays', '[[{"role":"user","content":"hi"}]]'],
    ['an object', '{"messages":[{"role":"user","content":"hi"}],"tools":[]}'],
    ['blank lines around a document', '\n\n{\n"messages":[{"role":"user","content":"hi"}]}\n\n'],
  ])('are read from %s', async (_, content) => {
    expect(await withFile(content, readTranscript).then(outline)).toEqual(['user: hi'])
  })

  it('are named by their position when they cannot be read', async () => {
    const messages = [
      { role: 'user', content: 'hi' },
      null,
      { role: 'user', content: 7 },
      { role: 'tool', content: 'x' },
      { role: 'assistant', tool_calls: [{ id: '1' }] },
      { role: 'assistant', tool_calls: 'x' },
      'text',
    ]
    const { malformed } = await withFile(JSON.stringify(messages, null, 2), readTranscript)
    expect(malformed).toEqual([
      { line: 2, reason: 'not a message object' },
      { line: 3, reason: 'content that is neither text nor a list of parts' },
      { line: 4, reason: 'a tool result without a tool_call_id' },
      { line: 5, reason: 'a tool call without a name' },
      { line: 6, reason: 'a tool call without a name' },
      { line: 7, reason: 'not a message object' },
    ])
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
