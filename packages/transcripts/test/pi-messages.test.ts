import { stripReasoning } from '@palimpsest/core'
import { describe, expect, test } from 'vitest'
import { fromPiMessage, toPiMessage } from '../src/index.ts'

const TIME = 1_790_000_000_000
const ASSISTANT = {
  ...{
    role: 'assistant',
    api: 'anthropic-messages',
    provider: 'anthropic',
    model: 'claude',
    timestamp: TIME,
  },
  content: [
    { type: 'thinking', thinking: 'Hm.', thinkingSignature: 'sig-1' },
    { type: 'text', text: 'I look.', textSignature: 'sig-2' },
    { type: 'toolCall', id: 'call1', name: 'read', arguments: { path: 'a.ts' }, thoughtSignature: 'sig-3' },
  ],
  ...{ usage: { input: 3, output: 4 }, stopReason: 'toolUse' },
}
const RESULT = {
  ...{ role: 'toolResult', toolCallId: 'call1', toolName: 'read', isError: true, timestamp: TIME },
  content: [
    { type: 'text', text: 'no such file' },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
  ],
}
const QUESTION = { role: 'user', content: [{ type: 'text', text: 'Read a.ts' }], timestamp: TIME }

const there = (message: object) => {
  const said = fromPiMessage(message)
  if (said === undefined) throw new Error('pi sends this to no model')
  return said
}

describe('messages of pi', () => {
  test.each([ASSISTANT, RESULT, QUESTION])('come back as they were: $role', (message) => {
    expect(toPiMessage(there(message), message)).toEqual(message)
  })

  test('the content is replaced and everything else stays', () => {
    const [, text, call] = ASSISTANT.content
    const said = stripReasoning(there(ASSISTANT))
    expect(toPiMessage(said, ASSISTANT)).toEqual({ ...ASSISTANT, content: [text, call] })
    const short = { role: 'tool', tool_call_id: 'call1', content: 'no…' } as const
    expect(toPiMessage(short, RESULT)).toEqual({ ...RESULT, content: [{ type: 'text', text: 'no…' }] })
  })

  test('other roles are told as the user’s, and what the model is not sent is left out', () => {
    const command = { role: 'bashExecution', command: 'ls', output: 'a.ts', exitCode: 0 }
    expect(there(command)).toEqual({ role: 'user', content: 'The user ran a command: ls\na.ts' })
    expect(there({ role: 'compactionSummary', summary: 'Old.' }).content).toContain('Old.')
    expect(fromPiMessage({ ...command, excludeFromContext: true })).toBeUndefined()
    expect(fromPiMessage({ role: 'toolResult', content: [] })).toBeUndefined()
    expect(fromPiMessage({ role: 'notice' })).toBeUndefined()
  })
})
