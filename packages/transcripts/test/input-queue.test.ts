import { describe, expect, it } from 'vitest'
import { conversation, text, toolResult, toolUse } from './support/claude-lines.ts'
import { outline, readRecords, skipped } from './support/recording.ts'

const queue = (operation: string, content?: string) => ({
  type: 'queue-operation',
  sessionId: 's',
  operation,
  content,
})

describe('what the user queued while the model worked', () => {
  const turn = () => {
    const { user, assistant } = conversation()
    return {
      before: [user('go'), assistant('m1', [toolUse('t')])],
      after: [user([toolResult('t')]), assistant('m2', [text('ok')])],
      user,
    }
  }

  it('is a user message where it was sent, even if only the queue records it', async () => {
    const { before, after } = turn()
    const sent = [queue('enqueue', 'and b.ts'), queue('remove')]
    const transcript = await readRecords([...before, ...sent, ...after])
    expect(outline(transcript)).toEqual([
      'user: go',
      'assistant: t',
      'tool t: t',
      'user: and b.ts',
      'assistant: ok',
    ])
  })

  it('is not said twice when a message line has it too', async () => {
    const { before, after, user } = turn()
    const transcript = await readRecords([
      ...before,
      queue('enqueue', 'later'),
      ...after,
      queue('dequeue'),
      user('later'),
    ])
    expect(outline(transcript).filter((line) => line.includes('later'))).toHaveLength(1)
  })

  it('is counted when it was taken back or never sent', async () => {
    const { before, after } = turn()
    const transcript = await readRecords([
      ...before,
      queue('enqueue', 'taken back'),
      queue('popAll'),
      queue('enqueue', 'too late'),
      ...after,
    ])
    expect(skipped(transcript)).toEqual({ 'queued text that was not sent': 2 })
  })
})
