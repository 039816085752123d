import { describe, expect, it, vi } from 'vitest'
import { type EngineParts, type Ingest, type Message, MISSING_RESULT_TEXT } from '../../src/index.ts'
import { compress, open } from './doubles.ts'
import { assistant, calling, once, result, system, talk, texts, user } from './talk.ts'

describe('a history that the host edits', () => {
  it('replaces what stood from the edit on, and the engine hears of it', async () => {
    const ingest = vi.fn(async (_: Ingest) => {})
    const { session, events } = open({ ingest })
    await session.prepare([user('a'), assistant('b'), user('c'), assistant('d'), user('e')])
    await session.prepare([user('a'), assistant('b'), user('C')])
    expect(texts(session.transcript)).toEqual(['a', 'b', 'C'])
    expect(ingest.mock.lastCall?.[0]).toEqual({ from: 2, messages: [user('C')] })
    expect(events).toContainEqual({ type: 'edited', from: 2, dropped: 3 })
  })

  it('tells the engine too when messages were only taken back', async () => {
    const ingest = vi.fn(async (_: Ingest) => {})
    const { session } = open({ ingest })
    await session.prepare([user('a'), assistant('b'), user('c')])
    await session.prepare([user('a')])
    expect(ingest.mock.lastCall?.[0]).toEqual({ from: 1, messages: [] })
  })

  it('tells the engine about messages that it took while their host went away', async () => {
    let finish = () => {}
    const ingest = vi.fn(({ messages }: Ingest) =>
      messages.length === 2 ? new Promise<void>((resolve) => (finish = resolve)) : Promise.resolve(),
    )
    const { session } = open({ ingest })
    const controller = new AbortController()
    const left = session.prepare([user('A'), user('B')], { signal: controller.signal })
    await vi.waitFor(() => expect(ingest).toHaveBeenCalled(), 30_000)
    controller.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    finish()
    await session.prepare([])
    expect(ingest.mock.lastCall?.[0]).toEqual({ from: 0, messages: [] })
  })

  it('drops a summary of messages that were taken back', async () => {
    const { session } = open({ shouldCompress: once() })
    const host = talk(3)
    await session.prepare(host)
    const later = [...host, assistant('after'), user('more')]
    expect(texts((await session.prepare(later)).messages)).toContain('SUMMARY')
    const edited = later.with(1, user('another beginning'))
    const { messages } = await session.prepare(edited)
    expect(texts(messages)).toEqual(texts(edited))
    const shortened = [...host.slice(0, 3), user('branch')]
    expect(texts((await session.prepare(shortened)).messages)).toEqual(texts(shortened))
  })

  it('strips the reasoning of messages whose prefix was a summary', async () => {
    let isDue = false
    const { session } = open({ shouldCompress: () => isDue })
    const thought = (content: string) => Object.assign({ reasoning: 'hidden' }, assistant(content))
    const host = talk(3)
    isDue = true
    await session.prepare(host)
    isDue = false
    const second = [...host, thought('behind the first summary'), user('more')]
    await session.prepare(second)
    isDue = true
    await session.prepare([...second, thought('again'), user('still more')])
    isDue = false
    // The host goes back to a point that the second summary covered.
    const { messages } = await session.prepare([...second.slice(0, 9), user('another way')])
    expect(texts(messages)).toContain('behind the first summary')
    expect(messages.some((message) => 'reasoning' in message)).toBe(false)
  })

  it('keeps a summary when the edit is behind it', async () => {
    const { session } = open({ shouldCompress: once() })
    const host = talk(3)
    await session.prepare(host)
    await session.prepare([...host, assistant('x'), user('y')])
    const { messages } = await session.prepare([...host, assistant('x'), user('z')])
    expect(texts(messages)).toEqual(['Be exact.', 'SUMMARY', 'and now?', 'x', 'z'])
  })

  it('sees a change of a message whose id stayed the same', async () => {
    const { session } = open()
    await session.prepare([
      { ...user('a'), id: 'm1' },
      { ...user('b'), id: 'm1' },
    ])
    await session.prepare([
      { ...user('a'), id: 'm1' },
      { ...user('changed'), id: 'm1' },
    ])
    expect(texts(session.transcript)).toEqual(['a', 'changed'])
  })
})

describe('the system prompt', () => {
  const noting = (): Partial<EngineParts> => ({
    shouldCompress: once(),
    compress: async (call) => {
      const done = await compress(call)
      const [first, ...rest] = done.messages
      const noted = { ...first, content: `${first?.content} [note]` } as Message
      return { ...done, messages: [noted, ...rest], changedFrom: 0 }
    },
  })

  it('may change between turns: the summary stays, the note too', async () => {
    const { session, events } = open(noting())
    const host = talk(3, 'It is Monday.')
    expect(texts((await session.prepare(host)).messages)[0]).toBe('It is Monday. [note]')
    const { messages } = await session.prepare([
      system('It is Tuesday.'),
      ...host.slice(1),
      assistant('x'),
      user('y'),
    ])
    expect(texts(messages)).toEqual(['It is Tuesday. [note]', 'SUMMARY', 'and now?', 'x', 'y'])
    expect(texts(session.transcript)[0]).toBe('It is Tuesday.')
    expect(events.some(({ type }) => type === 'edited')).toBe(false)
  })

  it('may change for a host that goes on from the projection', async () => {
    const { session } = open(noting())
    const { messages } = await session.prepare(talk(3, 'It is Monday.'))
    const changed = [system('It is Tuesday.'), ...messages.slice(1), assistant('x'), user('y')]
    expect(texts((await session.prepare(changed)).messages)).toEqual([
      'It is Tuesday. [note]',
      'SUMMARY',
      'and now?',
      'x',
      'y',
    ])
    expect(session.transcript).toHaveLength(10)
    const withNote = [system('It is Friday. [note]'), ...changed.slice(1), assistant('z'), user('!')]
    expect(texts((await session.prepare(withNote)).messages)[0]).toBe('It is Friday. [note]')
    expect(session.transcript).toHaveLength(12)
  })

  it('may have several messages, of which a later one changes every turn', async () => {
    const { session, events } = open({ shouldCompress: once() })
    const host = (clock: string) => [system('Be exact.'), system(clock), ...talk(3).slice(1)]
    const first = await session.prepare(host('12:00'))
    expect(texts(first.messages)).toEqual(['Be exact.\n\n12:00', 'SUMMARY', 'and now?'])
    const second = await session.prepare([...host('12:01'), assistant('x'), user('y')])
    expect(texts(second.messages)).toEqual(['Be exact.\n\n12:01', 'SUMMARY', 'and now?', 'x', 'y'])
    expect(events.some(({ type }) => type === 'edited')).toBe(false)
  })

  it('in front of another conversation is another conversation', async () => {
    const ingest = vi.fn(async (_: Ingest) => {})
    const { session } = open({ ingest })
    await session.prepare(talk(1))
    await session.prepare([system('Be quick.'), user('something else')])
    expect(ingest.mock.lastCall?.[0]).toMatchObject({ from: 0, messages: [{ content: 'Be quick.' }, {}] })
  })
})

describe('a host that goes on from the request that it was given', () => {
  it('adds to the transcript only what is new, also after a call that failed', async () => {
    let isDue = true
    const { session, events } = open({
      shouldCompress: () => isDue,
      compress: (call) => (call.signal?.aborted === false ? new Promise(() => {}) : compress(call)),
    })
    const first = await session.prepare(talk(3))
    const next = [...first.messages, assistant('x'), user('y')]
    const controller = new AbortController()
    const aborted = session.prepare(next, { signal: controller.signal })
    controller.abort(new Error('stop'))
    await expect(aborted).rejects.toThrow('stop')
    isDue = false
    const { messages } = await session.prepare(next)
    expect(texts(messages)).toEqual(['Be exact.', 'SUMMARY', 'and now?', 'x', 'y'])
    expect(session.transcript).toHaveLength(10)
    expect(events.some(({ type }) => type === 'edited')).toBe(false)
  })

  it('may take back its own messages behind the summary', async () => {
    const { session } = open({ shouldCompress: once() })
    const { messages } = await session.prepare(talk(3))
    await session.prepare([...messages, assistant('x'), user('y')])
    const other = await session.prepare([...messages, assistant('x'), user('z')])
    expect(texts(other.messages).slice(-2)).toEqual(['x', 'z'])
    expect(texts(session.transcript).slice(-3)).toEqual(['and now?', 'x', 'z'])
    expect(session.transcript).toHaveLength(10)
  })

  it('is not taken for one that only says the same again', async () => {
    const { session } = open()
    await session.prepare([user('go'), assistant('ok'), user('go')])
    await session.prepare([user('go'), assistant('ok'), user('go'), assistant('ok'), user('go')])
    expect(session.transcript).toHaveLength(5)
  })
})

describe('tool calls in flight', () => {
  it('get a note until their results come', async () => {
    const { session } = open()
    const { messages, warnings } = await session.prepare([user('go'), calling('a')])
    expect(texts(messages)).toEqual(['go', '', MISSING_RESULT_TEXT])
    expect(warnings[0]).toMatchObject({ code: 'repaired-input' })
    const next = await session.prepare([user('go'), calling('a'), result('a')])
    expect(texts(next.messages)).toEqual(['go', '', 'done'])
  })

  it('get their results also when a compaction came between', async () => {
    const { session } = open({ shouldCompress: once() })
    const host = [...talk(3), calling('a')]
    await session.prepare(host)
    const { messages } = await session.prepare([...host, result('a', 'at last')])
    expect(texts(messages)).toEqual(['Be exact.', 'SUMMARY', 'and now?', '', 'at last'])
  })
})
