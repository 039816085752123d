import { describe, expect, it } from 'vitest'
import {
  checkProjection,
  compactedResult,
  createContextSession,
  defineContextEngine,
  findLastUser,
  isSummary,
  type Message,
  renderSummary,
  roughTokenCounter,
} from '../../src/index.ts'

/** Replaces everything before the last user message by a summary, from a number of messages on. */
const engine = defineContextEngine({
  name: 'simple',
  apiVersion: 1,
  description: 'A summary and the last user message',
  create: () => ({
    shouldCompress: () => true,
    async compress({ messages }) {
      const at = findLastUser(messages)
      const after: Message[] = [
        { role: 'user', content: renderSummary('They talked.') },
        { role: 'assistant', content: 'Noted.' },
        ...messages.slice(at),
      ]
      return compactedResult({ before: messages, after, tokens: roughTokenCounter, reason: 'test' })
    },
  }),
})

const talk = (turns: number): Message[] =>
  Array.from({ length: turns }, (_, turn): Message[] => [
    { role: 'user', content: `question ${turn} ${'and more words '.repeat(20)}` },
    { role: 'assistant', content: `answer ${turn}` },
  ]).flat()

describe('a host that takes its last message back after a compaction', () => {
  it('keeps the summary of what came before', async () => {
    const session = createContextSession({ engine, contextLength: 10_000 })
    const history = talk(20)
    await session.prepare([...history, { role: 'user', content: `huge ${'words '.repeat(500)}` }])
    const short: Message[] = [...history, { role: 'user', content: 'a short question instead' }]
    const { messages } = await session.prepare(short)
    expect(messages.filter(isSummary)).toHaveLength(1)
    expect(messages.length).toBeLessThan(5)
    expect(JSON.stringify(messages)).not.toContain('huge')
    expect(checkProjection(messages, short)).toEqual([])
  })

  it('shows the message of the user that is the last one now, and not only its summary', async () => {
    const session = createContextSession({ engine, contextLength: 10_000 })
    const history = talk(20)
    await session.prepare([...history, { role: 'user', content: 'something new' }])
    const { messages } = await session.prepare(history)
    expect(checkProjection(messages, history)).toEqual([])
    expect(messages).toContainEqual(history.at(-2))
  })

  it('drops the summary when something inside it is taken back', async () => {
    const session = createContextSession({ engine, contextLength: 10_000, enabled: true })
    const history = talk(20)
    const seen: boolean[] = []
    await session.prepare([...history, { role: 'user', content: 'so?' }])
    session.subscribe((event) => seen.push(event.type === 'edited'))
    const edited: Message[] = [...talk(3), { role: 'user', content: 'something else' }]
    const { messages } = await session.prepare(edited)
    expect(seen).toContain(true)
    expect(checkProjection(messages, edited)).toEqual([])
  })
})
