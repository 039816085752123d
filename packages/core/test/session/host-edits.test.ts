import { describe, expect, it, vi } from 'vitest'
import { type Ingest, MISSING_RESULT_TEXT } from '../../src/index.ts'
import { compress, open } from './doubles.ts'
import { assistant, calling, once, result, talk, texts, user } from './talk.ts'

describe('a history that the host edits', () => {
  it('replaces what stood from the edit on, and the engine hears of it', async () => {
    const ingest = vi.fn(async (_: Ingest) => {})
    const { session, events } = open({ ingest })
    await session.prepare([user('a'), assistant('b'), user('c'), assistant('d'), user('e')])
    await session.prepare([user('a'), assistant('b'), user('C')])
    expect(texts(session.transcript)).toEqual(['a', 'b', 'C'])
    expect(ingest.mock.lastCall?.[0]).toEqual({ from: 2, messages: [{ ...user('C'), id: 'm5' }] })
    expect(events).toContainEqual({ type: 'edited', from: 2, dropped: 3 })
  })

  it('tells the engine too when messages were only taken back', async () => {
    const ingest = vi.fn(async (_: Ingest) => {})
    const { session } = open({ ingest })
    await session.prepare([user('a'), assistant('b'), user('c')])
    await session.prepare([user('a')])
    expect(ingest.mock.lastCall?.[0]).toEqual({ from: 1, messages: [] })
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
    const { session } = open({ shouldCompress: () => isDue }, { modelName: 'claude-sonnet-5-5' })
    const thought = (content: string) => Object.assign({ reasoning: 'hidden' }, assistant(content))
    const host = talk(3)
    isDue = true
    await session.prepare(host)
    isDue = false
    const second = [...host, thought('behind the first summary'), user('more')]
    await session.prepare(second)
    await session.prepare([...second, thought('again'), user('still more')])
    await session.compact()
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
})
