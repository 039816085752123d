import { describe, expect, it, vi } from 'vitest'
import { type Ingest, InvalidMessagesError, isDeepFrozen, type Message } from '../../src/index.ts'
import { compress, open } from './doubles.ts'
import { assistant, calling, long, result, system, talk, texts, user } from './talk.ts'

describe('a host that keeps no list', () => {
  it('gets the requests of one that passes its whole list', async () => {
    const engine = () => ({ shouldCompress: ({ promptTokens = 0 } = {}) => promptTokens > 600, compress })
    const [appending, listing] = [open(engine()).session, open(engine()).session]
    const host: Message[] = []
    for (let turn = 0; turn < 12; turn++) {
      const said = [
        ...(turn === 0 ? [system('Be exact.')] : [assistant(long(`answer ${turn}`))]),
        user(long(`question ${turn}`)),
      ]
      host.push(...said)
      await appending.append(said)
      expect((await appending.prepare()).messages).toEqual((await listing.prepare(host)).messages)
    }
    expect(appending.transcript).toEqual(host)
  })

  it('may append calls and results one by one, and change its objects afterwards', async () => {
    const ingest = vi.fn(async (_: Ingest) => {})
    const { session } = open({ ingest })
    const question = { role: 'user' as const, content: 'a' }
    await session.append([question])
    question.content = 'something else'
    await session.append([calling('c1')])
    await session.append([result('c1')])
    const { messages, warnings } = await session.prepare()
    expect(texts(messages)).toEqual(['a', '', 'done'])
    expect(warnings).toEqual([])
    expect(ingest.mock.calls.map(([{ from, messages }]) => [from, messages.length])).toEqual([[0, 3]])
  })

  it('gets the session’s own messages and tools when it asks for frozen ones, and copies otherwise', async () => {
    const { session } = open()
    await session.append([user('a')])
    const own = await session.prepare(undefined, { frozen: true })
    expect(own.messages.map((message) => isDeepFrozen(message))).toEqual([true])
    expect(own.messages[0]).toBe(session.transcript[0])
    const [copy] = (await session.prepare()).messages
    expect(copy).toEqual(own.messages[0])
    expect(Object.isFrozen(copy)).toBe(false)
  })

  it('may pass a list all the same', async () => {
    const { session, events } = open()
    await session.append([user('a')])
    await session.prepare()
    await session.prepare([user('a'), assistant('b'), user('c')])
    await session.append([assistant('d'), user('e')])
    expect(texts((await session.prepare()).messages)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(events.some(({ type }) => type === 'edited')).toBe(false)
  })

  it('is told of what is no message, and nothing has changed then', async () => {
    const { session } = open()
    await session.append([user('a')])
    await expect(session.append([user('b'), null as never])).rejects.toThrow(InvalidMessagesError)
    await expect(session.append('text' as never)).rejects.toThrow('messages must be a list')
    expect(texts(session.transcript)).toEqual(['a'])
    await session.end()
    await expect(session.append([user('b')])).rejects.toThrow('append')
  })
})

describe('objects that a host passes again', () => {
  it.each<[string, (host: Message[]) => void, number[]]>([
    ['the same', () => {}, []],
    ['built anew', (host) => host.splice(0, host.length, ...structuredClone(host)), []],
    ['with another system prompt', (host) => host.splice(0, 1, system('Be exact.')), []],
    ['with another object', (host) => host.splice(7, 1, user('another')), [7]],
    [
      'with one that was changed in place',
      (host) => Object.assign(host[10] as Message, { content: '' }),
      [10],
    ],
  ])('are edits where they say something else: %s', async (_, change, edits) => {
    const { session, events } = open()
    const host = talk(2_000)
    await session.prepare(host)
    change(host)
    host.push(assistant('answer'), user('question'))
    await session.prepare(host)
    expect(session.transcript).toHaveLength(host.length)
    expect(events.flatMap((event) => (event.type === 'edited' ? [event.from] : []))).toEqual(edits)
  })
})

describe('a list with new messages', () => {
  it('is read before the call returns', async () => {
    const { session } = open()
    const host = talk(20)
    const told = texts(host)
    const prepared = session.prepare(host)
    Object.assign(host[10] as Message, { content: 'changed too late' })
    host.splice(30, 10, user('another'))
    await prepared
    expect(texts(session.transcript)).toEqual(told)
  })

  it('is taken over as a whole or not at all', async () => {
    const { session } = open()
    await session.prepare([user('a')])
    const broken = { role: 'user', content: 'b', at: 1n } as unknown as Message
    const host = [user('a'), ...talk(20).slice(1), broken]
    await expect(session.prepare(host)).rejects.toThrow(`messages[${host.length - 1}].at is a bigint`)
    expect(texts(session.transcript)).toEqual(['a'])
  })
})

describe('a transcript that was handed out', () => {
  it('stays as it was when the conversation goes on', async () => {
    const { session } = open()
    await session.prepare([user('a')])
    const before = session.transcript
    expect(session.transcript).toBe(before)
    await session.append([assistant('b')])
    expect(texts(before)).toEqual(['a'])
    expect(texts(session.transcript)).toEqual(['a', 'b'])
    expect(Object.isFrozen(session.transcript)).toBe(true)
  })

  it('is whole at the end of a turn', async () => {
    const turns: (readonly Message[])[] = []
    const { session } = open({ onTurnComplete: async ({ messages }) => void turns.push(messages) })
    await session.prepare([user('a')])
    await session.observe({ message: assistant('b') as never })
    await session.prepare([user('a'), assistant('b'), user('c')])
    expect(turns.map(texts)).toEqual([['a', 'b']])
  })
})
