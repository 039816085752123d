import { describe, expect, it } from 'vitest'
import { InvalidMessagesError, isDeepFrozen, type Message } from '../../src/index.ts'
import { compress, open } from './doubles.ts'
import { assistant, long, system, talk, texts, user } from './talk.ts'

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
})
