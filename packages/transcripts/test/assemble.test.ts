import { describe, expect, it } from 'vitest'
import { outline, readRecords, skipped } from './support/recording.ts'

const user = (content: unknown) => ({ role: 'user', content })
const calling = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
})
const result = (tool_call_id: string, content: string) => ({ role: 'tool', tool_call_id, content })

describe('tool results', () => {
  it('come directly behind their calls, whatever stood between', async () => {
    const transcript = await readRecords([
      user('go'),
      calling('1', '2'),
      result('2', 'two'),
      user('hurry'),
      { role: 'assistant', content: 'still at it' },
      result('1', 'one'),
    ])
    expect(outline(transcript)).toEqual([
      'user: go',
      'assistant: 1 2',
      'tool 2: two',
      'tool 1: one',
      'user: hurry',
      'assistant: still at it',
    ])
  })

  it('answer the latest call of their id when a counter started again', async () => {
    const transcript = await readRecords([
      user('go'),
      calling('call_1'),
      result('call_1', 'first'),
      calling('call_1'),
      result('call_1', 'second'),
    ])
    expect(outline(transcript)).toEqual([
      'user: go',
      'assistant: call_1',
      'tool call_1: first',
      'assistant: call_1_1',
      'tool call_1_1: second',
    ])
    expect(transcript.skipped).toEqual([])
  })

  it('are told apart when one message gives all its calls the same or an empty id', async () => {
    const transcript = await readRecords([
      user('go'),
      calling('', ''),
      result('', 'one'),
      result('', 'two'),
      calling('x', 'x'),
      result('x', 'three'),
      result('x', 'four'),
    ])
    expect(outline(transcript)).toEqual([
      'user: go',
      'assistant: call_2 call_2_1',
      'tool call_2: one',
      'tool call_2_1: two',
      'assistant: x x_1',
      'tool x: three',
      'tool x_1: four',
    ])
  })
})

describe('messages', () => {
  it('that say nothing are dropped and counted', async () => {
    const transcript = await readRecords([
      user('go'),
      { role: 'assistant', content: ' \n' },
      { role: 'assistant', content: [{ type: 'text', text: '' }] },
      { role: 'assistant' },
      { role: 'assistant', content: null, refusal: 'I cannot' },
      user([]),
    ])
    expect(transcript.entries).toHaveLength(2)
    expect(skipped(transcript)).toEqual({
      'assistant message without content': 3,
      'user message without content': 1,
    })
  })

  it('of the system are one in front, and a repetition of it is skipped', async () => {
    const transcript = await readRecords([
      { role: 'system', content: 'Be brief.' },
      { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
      user('go'),
      { role: 'system', content: 'Be brief.\nBe kind.' },
    ])
    expect(transcript.entries.map(({ message }) => message)).toEqual([
      {
        role: 'system',
        content: [
          { type: 'text', text: 'Be brief.' },
          { type: 'text', text: 'Be kind.' },
        ],
      },
      user('go'),
    ])
    expect(skipped(transcript)).toEqual({ 'repeated system message': 1 })
  })
})
