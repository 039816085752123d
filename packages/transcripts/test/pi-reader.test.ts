import { describe, expect, it } from 'vitest'
import { createPiBranchReader, readTranscript } from '../src/index.ts'
import { fixture, outline, readRecords, skipped } from './support/recording.ts'

const header = { type: 'session', id: 's', timestamp: '2026-03-01T09:00:00Z' }
const user = (text: string) => ({ type: 'message', message: { role: 'user', content: text } })
const assistant = (...content: unknown[]) => ({
  type: 'message',
  message: { role: 'assistant', content, stopReason: 'stop' },
})
const call = (id: string) => ({ type: 'toolCall', id, name: 'read', arguments: {} })
const result = (toolCallId: string, text: string) => ({
  type: 'message',
  message: { role: 'toolResult', toolCallId, content: [{ type: 'text', text }] },
})

describe('a pi session of version 1', () => {
  it('reads as the conversation that pi would send', async () => {
    const transcript = await readTranscript(fixture('pi-v1.jsonl'))
    expect(transcript.format).toBe('pi')
    expect(outline(transcript)).toEqual([
      'user: Why does the parser test fail?',
      'user: go on',
      'assistant: I read both files. call_a call_b',
      'tool call_a: export const parse = 1',
      'tool call_b: no such file',
      'user: [{"type":"text","text":"look:"},{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}]',
      'assistant: I will edit call_c',
      'tool call_c: [no result: the turn was aborted]',
      'user: The user ran a command: npm test\n1 failed\n[exit code 1]',
    ])
    expect(skipped(transcript)).toEqual({
      'aborted turn without content': 1,
      'command that the user kept from the model': 1,
      'thinking_level_change entry': 1,
    })
    expect(transcript.model).toBe('claude-test')
    expect(transcript.startedAt).toBe(Date.parse('2026-03-01T09:00:00Z'))
  })

  it('keeps reasoning, errors and synthetic results apart from the text', async () => {
    const { entries } = await readTranscript(fixture('pi-v1.jsonl'))
    expect(entries[2]?.message.providerData).toEqual({
      anthropic: { reasoning: [{ type: 'thinking', thinking: 'Read both.', thinkingSignature: 'sig' }] },
    })
    expect(entries[3]?.message.providerData).toBeUndefined()
    expect(entries[4]?.message.providerData).toEqual({ transcript: { isError: true } })
    expect(entries[7]?.message.providerData).toEqual({ transcript: { synthetic: true } })
  })

  it('counts cached tokens as part of the prompt', async () => {
    const { entries } = await readTranscript(fixture('pi-v1.jsonl'))
    expect(entries[2]?.usage).toEqual({
      promptTokens: 350,
      completionTokens: 20,
      totalTokens: 370,
      cacheReadTokens: 300,
      cacheWriteTokens: 40,
    })
    expect(entries[2]?.timestamp).toBe(1772355604000)
  })
})

describe('a pi session of version 3', () => {
  it('follows the branch that ends in the last entry', async () => {
    const transcript = await readTranscript(fixture('pi-v3.jsonl'))
    expect(outline(transcript)).toEqual([
      'user: Use SQLite?',
      'assistant: SQLite is fine.',
      'user: Summary of a branch of this conversation that was left:\n\nA migration was tried.',
      'user: Lint is on.',
      'user: No, use Postgres.',
      'assistant: Postgres it is.',
    ])
    expect(skipped(transcript)['abandoned branch']).toBe(2)
    expect(transcript.entries.map(({ message }) => message.id)).toEqual(['u1', 'a1', 'b1', 'c1', 'u3', 'a3'])
  })

  it('records the native compaction beside the messages, which are all there', async () => {
    const { nativeCompactions } = await readTranscript(fixture('pi-v3.jsonl'))
    expect(nativeCompactions).toEqual([
      { beforeEntry: 4, summary: 'They chose SQLite.', tokensBefore: 90000 },
    ])
  })

  it('loses nothing but the damaged line when a parent cannot be read', async () => {
    const entry = (id: string, parentId: string | null, content: string) => ({
      type: 'message',
      id,
      parentId,
      message: { role: 'user', content },
    })
    const transcript = await readRecords([
      header,
      entry('1', null, 'one'),
      '{"type":"message","id":"2",',
      entry('3', '2', 'three'),
    ])
    expect(outline(transcript)).toEqual(['user: one', 'user: three'])
    expect(transcript.malformed).toEqual([{ line: 3, reason: 'not valid JSON' }])
  })
})

describe('a damaged pi session', () => {
  it('names lines that cannot be read and goes on', async () => {
    const transcript = await readRecords([
      header,
      user('hello'),
      { type: 'message', message: { role: 'wizard', content: 'x' } },
      { type: 'message', message: { role: 'toolResult', content: 'x' } },
      { type: 'message' },
      { content: 'x' },
      '42',
      user('still here'),
    ])
    expect(outline(transcript)).toEqual(['user: hello', 'user: still here'])
    expect(transcript.malformed).toEqual([
      { line: 3, reason: 'unknown role "wizard"' },
      { line: 4, reason: 'a tool result without a toolCallId' },
      { line: 5, reason: 'a message entry without a message' },
      { line: 6, reason: 'an entry without a type' },
      { line: 7, reason: 'not a JSON object' },
    ])
  })

  it('skips orphaned and repeated results, and answers a call at the end of the file', async () => {
    const transcript = await readRecords([
      header,
      user('hello'),
      result('call_0', 'orphan'),
      assistant(call('call_1')),
      result('call_1', 'first'),
      result('call_1', 'second'),
      assistant(call('call_2')),
    ])
    expect(outline(transcript)).toEqual([
      'user: hello',
      'assistant: call_1',
      'tool call_1: first',
      'assistant: call_2',
      'tool call_2: [no result was recorded for this call]',
    ])
    expect(skipped(transcript)).toEqual({
      'tool result without a call': 1,
      'second result for a tool call': 1,
    })
  })
})

describe('a pi session of pi 1', () => {
  const tree = (...entries: readonly object[]) =>
    entries.map((entry, index) => ({
      id: `e${index}`,
      parentId: index === 0 ? null : `e${index - 1}`,
      ...entry,
    }))
  const system = (content: string, sections: object, more: object = {}) => ({
    type: 'message',
    message: { role: 'system', content, sections, ...more },
  })
  const edit = (targetId: string, replacement: object | null) => ({
    type: 'context_edit',
    targetId,
    replacement,
  })

  it('has the prompt and the tools of its first system message', async () => {
    const tools = {
      toolsAdded: [{ name: 'read', description: 'Reads.', parameters: { type: 'object' } }, {}],
    }
    const transcript = await readRecords([
      header,
      ...tree(
        system('Be brief.', { tools: '<tools/>', cwd: '/p' }, tools),
        user('hi'),
        system('', { cwd: '/q' }),
        assistant({ type: 'text', text: 'Hello.' }),
      ),
    ])
    expect(outline(transcript)).toEqual([
      'system: Be brief.\n\n<tools/>\n\n/p',
      'user: hi',
      'assistant: Hello.',
    ])
    expect(transcript.tools).toEqual([
      { type: 'function', function: { name: 'read', description: 'Reads.', parameters: { type: 'object' } } },
    ])
    expect(skipped(transcript)).toEqual({ 'change of the system prompt': 1 })
  })

  it('follows the last edit of each message', async () => {
    const transcript = await readRecords([
      header,
      ...tree(
        user('one'),
        assistant({ type: 'text', text: 'too long' }),
        user('two'),
        edit('e1', { content: [{ type: 'text', text: 'longer' }] }),
        edit('e1', { content: [{ type: 'text', text: 'short' }] }),
        edit('e2', null),
        user('three'),
      ),
    ])
    expect(outline(transcript)).toEqual(['user: one', 'assistant: short', 'user: three'])
    expect(skipped(transcript)).toEqual({ 'message taken out of the context': 1 })
  })

  it('reads an open session again as the same objects, with the place of each entry', () => {
    const read = createPiBranchReader()
    const branch = tree(
      user('one'),
      assistant({ type: 'text', text: 'I read.' }, call('c')),
      result('c', 'text'),
    )
    const before = read(branch)
    const after = read([...branch, { ...user('two'), id: 'e3', parentId: 'e2' }])
    expect(after.map(({ message, line }) => [message.role, line])).toEqual([
      ['user', 1],
      ['assistant', 2],
      ['tool', 3],
      ['user', 4],
    ])
    for (const [index, { message }] of before.entries()) expect(after[index]?.message).toBe(message)
  })
})
