import { describe, expect, it, vi } from 'vitest'
import { type ContextSession, createContextSession, type EngineParts, type Message } from '../../src/index.ts'
import { engine, open } from './doubles.ts'
import { once, talk, texts, tool, user } from './talk.ts'

describe('the life of a session', () => {
  const spied = () => {
    const log: string[] = []
    const hook = (name: string) => async () => {
      log.push(name)
    }
    const parts: Partial<EngineParts> = {
      onSessionStart: hook('start'),
      ingest: hook('ingest'),
      onSessionReset: hook('reset'),
      onSessionEnd: hook('end'),
      dispose: hook('dispose'),
    }
    return { log, parts }
  }

  it('starts with the first call and ends once', async () => {
    const { log, parts } = spied()
    const { session, events } = open(parts)
    expect(log).toEqual([])
    await session.prepare([user('a')])
    await session.prepare([user('a')])
    await session.end()
    await session.end()
    expect(log).toEqual(['start', 'ingest', 'end', 'dispose'])
    expect(events.at(-1)).toEqual({ type: 'ended' })
    expect(session.transcript).toHaveLength(1)
  })

  it('that never began only disposes', async () => {
    const { log, parts } = spied()
    const { session } = open(parts)
    await session.reset()
    await session.end()
    expect(log).toEqual(['dispose'])
  })

  it('refuses every call after its end', async () => {
    const { session } = open()
    const waiting = session.prepare([user('a')])
    const ended = session.end()
    const calls: [string, () => Promise<unknown>][] = [
      ['prepare', () => session.prepare([])],
      ['observe', () => session.observe({})],
      ['callTool', () => session.callTool('x', {})],
      ['answerCall', () => session.answerCall({ id: 'x', type: 'custom', custom: { name: 'x', input: '' } })],
      ['compact', () => session.compact()],
      ['recover', () => session.recover(new Error('x'))],
      ['updateModel', () => session.updateModel({ contextLength: 1 })],
      ['reset', () => session.reset()],
    ]
    for (const [name, call] of calls) {
      await expect(call(), name).rejects.toMatchObject({ code: 'SESSION_ENDED' })
      await expect(call(), name).rejects.toThrow(`${name}() was called after end()`)
    }
    await expect(waiting).resolves.toMatchObject({ messages: [user('a')] })
    await ended
  })

  it('ends with everything that was said, the last answer too', async () => {
    const ends: (readonly Message[])[] = []
    const { session } = open({ onSessionEnd: async (messages) => void ends.push(messages) })
    const answer = (content: string) => ({ role: 'assistant', content }) as const
    await session.prepare([user('a')])
    await session.observe({ message: answer('b') })
    await session.prepare([user('a'), answer('b'), user('c')])
    await session.observe({ message: answer('d') })
    await session.end()
    expect(ends.map((list) => texts(list as Message[]))).toEqual([['a', 'b', 'c', 'd']])
  })

  it('disposes also when the engine cannot end well', async () => {
    const dispose = vi.fn(async () => {})
    const { session, events } = open({
      onSessionEnd: () => {
        throw new Error('not saved')
      },
      dispose,
    })
    await session.prepare([user('a')])
    await expect(session.end()).rejects.toThrow('not saved')
    expect(dispose).toHaveBeenCalledOnce()
    expect(events.at(-1)).toEqual({ type: 'ended' })
  })

  describe('goes on without an engine that cannot start', () => {
    const broken = (start: () => Promise<void>, parts: Partial<EngineParts> = {}) =>
      open({
        toolSchemas: () => [tool('recall')],
        handleToolCall: async () => '1',
        ...parts,
        onSessionStart: start,
      })
    const warning = {
      code: 'engine-failed',
      message: 'the engine "double" failed in onSessionStart and the session went on without it: no database',
    }

    it.each<[string, (session: ContextSession) => Promise<unknown>, object]>([
      ['prepare', (session) => session.prepare([user('a')]), { messages: [user('a')], warnings: [warning] }],
      ['observe', async (session) => [await session.observe({})], [undefined]],
      ['compact', (session) => session.compact(), { outcome: 'unchanged' }],
      ['callTool', async (session) => [await session.callTool('recall', {})], ['1']],
      ['recover', (session) => session.recover({ status: 413 }), { code: 'CONTEXT_OVERFLOW' }],
    ])('%s', async (_, call, answer) => {
      const { session, events } = broken(() => Promise.reject(new Error('no database')))
      expect(await call(session).catch((error: unknown) => error)).toMatchObject(answer)
      expect(events.filter(({ type }) => type === 'warning')).toEqual([{ type: 'warning', warning }])
    })

    it('and asks it again before each next call, until it can, and warns once', async () => {
      const { log, parts } = spied()
      let failures = 2
      const { session, events } = broken(async () => {
        if (failures-- > 0) throw new Error('no database')
        log.push('start')
      }, parts)
      for (const text of ['a', 'b', 'c', 'd']) await session.prepare([user(text)])
      expect(log).toEqual(['ingest', 'ingest', 'start', 'ingest', 'ingest'])
      expect(events.filter(({ type }) => type === 'warning')).toHaveLength(1)
    })
  })

  it('is as new after a reset', async () => {
    const { log, parts } = spied()
    const { session, events } = open({ ...parts, shouldCompress: once() })
    await session.prepare(talk(3))
    await session.observe({ usage: { promptTokens: 900 } })
    expect(session.engine).toMatchObject({ compressionCount: 1, lastPromptTokens: 900 })
    await session.reset()
    expect(session.transcript).toEqual([])
    expect(session.engine).toMatchObject({ compressionCount: 0, lastPromptTokens: 0 })
    expect(events.at(-1)).toEqual({ type: 'reset' })
    const { messages } = await session.prepare(talk(3))
    expect(messages).toEqual(talk(3))
    expect(log).toEqual(['start', 'ingest', 'reset', 'start', 'ingest'])
  })

  it('ignores what a listener throws, and stops telling one that left', async () => {
    const { session, events } = open()
    const leave = session.subscribe(() => {
      throw new Error('a bug of the host')
    })
    await session.prepare([user('a')])
    leave()
    expect(events).toEqual([{ type: 'ingested', count: 1, from: 0 }])
  })
})

describe('two sessions', () => {
  it('share nothing', async () => {
    const definition = engine()
    const a = createContextSession({ engine: definition, contextLength: 1000 })
    const b = createContextSession({ engine: definition, contextLength: 1000 })
    await a.prepare([user('a')])
    await a.observe({ usage: { promptTokens: 10 } })
    expect(b.transcript).toEqual([])
    expect(b.engine.lastPromptTokens).toBe(0)
    expect(a.id).not.toBe(b.id)
  })
})
