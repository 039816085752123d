import { describe, expect, it } from 'vitest'
import { hasReasoning, type Message } from '../../src/index.ts'
import { open } from './doubles.ts'
import { talk, texts, user } from './talk.ts'

const answer: Message = {
  role: 'assistant',
  content: 'the answer',
  providerData: { anthropic: { reasoning: [{ type: 'thinking', thinking: 'hm', signature: 'sig' }] } },
}

const reasons = (messages: readonly Message[]) => texts(messages.filter(hasReasoning))

describe('reasoning of an answer', () => {
  it('is not sent behind a summary that was made after the answer', async () => {
    const { session } = open()
    const host = talk(3)
    await session.prepare(host)
    // The user compacts before the host tells of the answer.
    expect((await session.compact()).outcome).toBe('compacted')
    const { messages } = await session.prepare([...host, answer, user('go on')])
    expect(texts(messages).slice(-2)).toEqual(['the answer', 'go on'])
    expect(reasons(messages)).toEqual([])
  })

  it('stays when the model had seen the summary', async () => {
    const { session } = open()
    const host = talk(3)
    await session.prepare(host)
    await session.compact()
    await session.prepare(host)
    const { messages } = await session.prepare([...host, answer, user('go on')])
    expect(reasons(messages)).toEqual(['the answer'])
  })
})
