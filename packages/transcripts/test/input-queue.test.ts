import * as fc from 'fast-check'
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

  it('says where a text stands that waits, but not what the host queued', async () => {
    const { before } = turn()
    const note = queue('enqueue', '<task-notification>done</task-notification>')
    const waiting = [...before, note, queue('enqueue', 'later')]
    expect((await readRecords(waiting)).waitingSince).toBe(4)
    expect((await readRecords([...waiting, queue('remove')])).waitingSince).toBeUndefined()
    expect((await readRecords([...waiting, queue('popAll')])).waitingSince).toBeUndefined()
  })

  it('is where it was in every beginning of the file', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('nothing', 'dequeue lines', 'attachments'),
        fc.array(fc.constantFrom('type', 'command', 'notify', 'step', 'end'), { maxLength: 12 }),
        async (version, events) => {
          const { records, said } = recordedQueue(version, events)
          for (let end = 1; end <= records.length; end++) {
            const texts = userTexts(await readRecords(records.slice(0, end)))
            expect(texts).toEqual(said.slice(0, texts.length))
            if (end === records.length) expect(texts).toEqual(said)
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})

function userTexts(transcript: Awaited<ReturnType<typeof readRecords>>): string[] {
  return outline(transcript).filter((line) => line.startsWith('user: '))
}

/** A session as a version of Claude Code writes it: between two steps typed text is sent, at the end of a turn the rest. */
function recordedQueue(version: string, events: readonly string[]) {
  const { user, assistant } = conversation()
  const records: unknown[] = [user('go')]
  const said = ['user: go']
  let waiting: string[] = []
  const say = (content: string) => {
    said.push(`user: ${content}`)
    return content
  }
  events.forEach((event, index) => {
    if (event === 'step') {
      records.push(assistant(`m${index}`, [toolUse(`t${index}`)]))
      for (const content of waiting.filter((text) => text.startsWith('typed'))) {
        records.push(queue('remove', version === 'attachments' ? content : undefined))
        const prompt = say(content)
        if (version === 'attachments')
          records.push({ type: 'attachment', sessionId: 's', attachment: { type: 'queued_command', prompt } })
      }
      waiting = waiting.filter((text) => !text.startsWith('typed'))
      records.push(user([toolResult(`t${index}`)]))
    } else if (event === 'end') {
      records.push(assistant(`m${index}`, [text('done')]))
      const next = waiting.find((text) => text.startsWith('typed')) ?? waiting[0]
      if (next === undefined) return
      waiting = waiting.filter((text) => text !== next)
      if (version === 'dequeue lines') records.push(queue('dequeue'))
      records.push(user(say(next)))
    } else {
      const kinds = { type: 'typed', command: '/command', notify: '<task-notification>' }
      const content = `${kinds[event as keyof typeof kinds]} ${index}`
      waiting.push(content)
      records.push(queue('enqueue', content))
    }
  })
  return { records, said }
}
