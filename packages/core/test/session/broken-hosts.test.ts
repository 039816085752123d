import { describe, expect, it } from 'vitest'
import { InvalidMessagesError, type Message } from '../../src/index.ts'
import { open } from './doubles.ts'
import { result, texts, user } from './talk.ts'

describe('hosts with bugs', () => {
  it.each([
    ['text', 'messages must be a list'],
    [[null], 'messages[0] must be an object with a role, got null'],
    [[user('a'), []], 'messages[1] must be an object with a role, got a list'],
    [
      [user('a'), ...Array<Message>(1), user('b')],
      'messages[1] must be an object with a role, got undefined',
    ],
    [[{ ...user('a'), at: 1n }], 'messages[0].at is a bigint'],
    [[{ ...user('a'), cache: new Map() }], 'messages[0].cache is [object Map]'],
    [[{ toJSON: () => 'text' }], 'messages[0] must be an object with a role, got string'],
  ])('are told what is wrong: %o', async (messages, text) => {
    const { session } = open()
    await session.prepare([user('before')])
    await expect(session.prepare(messages as Message[])).rejects.toThrow(InvalidMessagesError)
    await expect(session.prepare(messages as Message[])).rejects.toThrow(text)
    expect(texts(session.transcript)).toEqual(['before'])
  })

  it('are told of cycles, throwing getters and bottomless nesting', async () => {
    const cyclic: Record<string, unknown> = { ...user('a') }
    cyclic.providerData = { raw: { message: cyclic } }
    const { session } = open()
    await expect(session.prepare([cyclic as never])).rejects.toThrow(
      'messages[0].providerData.raw.message refers back',
    )
    const throwing = {
      role: 'user',
      get content(): string {
        throw new Error('lazy')
      },
    }
    await expect(session.prepare([throwing as never])).rejects.toThrow('the messages cannot be read: lazy')
    let deep: unknown = 'x'
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    await expect(session.prepare([{ ...user('a'), deep } as never])).rejects.toBeInstanceOf(
      InvalidMessagesError,
    )
  })

  it('may change their list right after the call, and what they got, at any time', async () => {
    const { session } = open()
    const host = [user('a')]
    const running = session.prepare(host)
    const waiting = session.prepare(host)
    host.push(user('too late'))
    ;(host[0] as { content: string }).content = 'changed'
    expect(texts((await running).messages)).toEqual(['a'])
    expect(texts((await waiting).messages)).toEqual(['a'])
    expect(texts(session.transcript)).toEqual(['a'])
    expect(() => (session.transcript as Message[]).push(user('b'))).toThrow(TypeError)
  })

  it('hear what was repaired, once', async () => {
    const { session } = open()
    const host = [user('a'), { role: 'function', content: 'x' }, result('lost')] as Message[]
    const { messages, warnings } = await session.prepare(host)
    expect(texts(messages)).toEqual(['a'])
    expect(warnings.map(({ message }) => message)).toEqual([
      'the host\'s messages were repaired: left a message out of the request: the role "function" is none of system, developer, user, assistant, tool',
      "the host's messages were repaired: removed a tool result without a call: lost",
    ])
    expect((await session.prepare(host)).warnings).toEqual([])
    expect(session.transcript).toHaveLength(3)
  })
})
