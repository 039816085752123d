import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasReasoning, type Message, messageText, stripReasoning } from '../../src/index.ts'
import { counted } from '../counted.ts'
import { open } from './doubles.ts'
import { system, texts, user } from './talk.ts'

const thought = (content: string): Message => ({
  role: 'assistant',
  content,
  providerData: { anthropic: { reasoning: [{ type: 'thinking', thinking: content, signature: content }] } },
})
const reasons = (messages: readonly Message[]) => texts(messages.filter(hasReasoning))

const HOST = [
  system('s'),
  user('a'),
  thought('A'),
  user('b'),
  thought('B'),
  user('c'),
  thought('C'),
  user('d'),
]

describe('reasoning behind an edit of the host', () => {
  it('goes, and what stands before the edit keeps its own', async () => {
    const { session } = open()
    expect(reasons((await session.prepare(HOST)).messages)).toEqual(['A', 'B', 'C'])
    const edited = HOST.with(3, user('another'))
    const { messages } = await session.prepare(edited)
    expect(reasons(messages)).toEqual(['A'])
    expect(texts(messages)).toEqual(texts(edited))
    expect(reasons(session.transcript)).toEqual(['A', 'B', 'C'])
  })

  it('stays where messages were only appended or taken back', async () => {
    const { session } = open()
    await session.prepare(HOST)
    expect(reasons((await session.prepare([...HOST, thought('D')])).messages)).toEqual(['A', 'B', 'C', 'D'])
    expect(reasons((await session.prepare(HOST.slice(0, 6))).messages)).toEqual(['A', 'B'])
    const branch = [...HOST.slice(0, 6), thought('other')]
    expect(reasons((await session.prepare(branch)).messages)).toEqual(['A', 'B', 'other'])
    // The answer as it came in the end, where a part of it stood.
    const ended = [...branch.with(6, thought('the other one')), user('e')]
    expect(reasons((await session.prepare(ended)).messages)).toEqual(['A', 'B', 'the other one'])
  })

  it('is never sent behind another beginning than the one that it was given behind', async () => {
    const step = fc.record({ at: fc.nat(30), kind: fc.constantFrom('change', 'remove', 'append', 'rewind') })
    await counted(
      'reasoning and its beginning, edited histories',
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { session } = open()
        /** The text in front of which each answer was given: without reasoning, as that is what edits compare. */
        const givenBehind = new Map<string, string>()
        let host: Message[] = [user('begin')]
        for (const [index, { at, kind }] of steps.entries()) {
          const place = at % host.length
          if (kind === 'change' && host[place]?.role === 'user')
            host = host.with(place, user(`edit ${index}`))
          if (kind === 'remove' && host.length > 3) host = host.toSpliced(place - (place % 2), 2)
          if (kind === 'rewind') host = host.slice(0, place - (place % 2) + 1)
          const { messages } = await session.prepare(host)
          for (const [position, message] of messages.entries())
            if (hasReasoning(message))
              expect(givenBehind.get(messageText(message))).toBe(beginning(messages, position))
          const answer = thought(`answer ${index}`)
          givenBehind.set(messageText(answer), beginning(messages, messages.length))
          host = [...host, answer, user(`question ${index}`)]
        }
      }),
      300,
    )
  })
})

function beginning(messages: readonly Message[], end: number): string {
  return JSON.stringify(messages.slice(0, end).map(stripReasoning))
}
