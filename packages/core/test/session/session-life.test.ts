import { describe, expect, it, vi } from 'vitest'
import { createContextSession, type EngineParts, SessionEndedError } from '../../src/index.ts'
import { engine, open } from './doubles.ts'
import { once, talk, user } from './talk.ts'

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
      ['compact', () => session.compact()],
      ['recover', () => session.recover(new Error('x'))],
      ['updateModel', () => session.updateModel({ contextLength: 1 })],
      ['reset', () => session.reset()],
    ]
    for (const [name, call] of calls) {
      await expect(call(), name).rejects.toThrow(SessionEndedError)
      await expect(call(), name).rejects.toThrow(`${name}() was called after end()`)
    }
    await expect(waiting).resolves.toMatchObject({ messages: [user('a')] })
    await ended
  })

  it('disposes also when the engine cannot end well', async () => {
    const dispose = vi.fn(async () => {})
    const { session, events } = open({
      onSessionEnd: async () => Promise.reject(new Error('not saved')),
      dispose,
    })
    await session.prepare([user('a')])
    await expect(session.end()).rejects.toThrow('not saved')
    expect(dispose).toHaveBeenCalledOnce()
    expect(events.at(-1)).toEqual({ type: 'ended' })
  })

  it('rejects while the engine cannot start, and loses nothing', async () => {
    let broken = true
    const ingested: number[] = []
    const { session } = open({
      onSessionStart: async () => {
        if (broken) throw new Error('no database')
      },
      ingest: async ({ messages }) => void ingested.push(messages.length),
    })
    await expect(session.prepare([user('a')])).rejects.toThrow('no database')
    broken = false
    await session.prepare([user('a')])
    expect(ingested).toEqual([1])
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
    expect(log).toEqual(['start', 'ingest', 'reset', 'ingest'])
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
