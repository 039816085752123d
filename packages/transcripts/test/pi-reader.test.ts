import { describe, expect, it } from 'vitest'
import { readTranscript } from '../src/index.ts'
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
