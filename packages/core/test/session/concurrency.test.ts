import { describe, expect, it, vi } from 'vitest'
import { type CompressCall, createSerialQueue, type EngineParts } from '../../src/index.ts'
import { compress, open } from './doubles.ts'
import { assistant, talk, texts, user } from './talk.ts'

const never = () => new Promise<never>(() => {})

describe('calls on one session', () => {
  it('run one after the other, in the order of the calls', async () => {
    const log: string[] = []
    const slowly = (name: string) => async () => {
      log.push(`${name} begins`)
      await new Promise((resolve) => setTimeout(resolve, 2))
      log.push(`${name} ends`)
    }
    const { session } = open({ ingest: slowly('ingest'), onTurnComplete: slowly('turn') })
    await Promise.all([
      session.prepare([user('a')]),
      session.observe({ interrupted: true }),
      session.prepare([user('a'), assistant('b'), user('c')]),
    ])
    expect(log).toEqual([
      'ingest begins',
      'ingest ends',
      'turn begins',
      'turn ends',
      'ingest begins',
      'ingest ends',
    ])
  })
})

describe('an abort', () => {
  it('before the call rejects with the reason and asks the engine nothing', async () => {
    const shouldCompress = vi.fn(() => true)
    const { session } = open({ shouldCompress })
    const reason = new Error('stop')
    await expect(session.prepare(talk(2), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(shouldCompress).not.toHaveBeenCalled()
    expect(session.transcript).toEqual([])
  })

  it('of a call that waits rejects at once, and the call never begins', async () => {
    const ingest = vi.fn(never)
    const { session } = open({ ingest })
    void session.prepare([user('a')])
    const controller = new AbortController()
    const waiting = session.prepare([user('b')], { signal: controller.signal })
    controller.abort('not needed any more')
    await expect(waiting).rejects.toBe('not needed any more')
    expect(texts(session.transcript)).toEqual(['a'])
  })

  type Hangs = () => boolean
  const hanging: Readonly<Record<string, (hangs: Hangs) => Partial<EngineParts>>> = {
    compress: (hangs) => ({ shouldCompress: hangs, compress: never }),
    ingest: (hangs) => ({ ingest: async () => (hangs() ? never() : undefined) }),
    selectContext: (hangs) => ({ selectContext: async () => (hangs() ? never() : null) }),
    pruneToolResults: (hangs) => ({
      pruneToolResults: async (messages) => (hangs() ? never() : messages),
    }),
  }
  it.each(Object.entries(hanging))(
    'rejects while the engine hangs in %s, and the session goes on',
    async (_, parts) => {
      let hangs = true
      const { session } = open(parts(() => hangs))
      const controller = new AbortController()
      const call = session.prepare(talk(2), { signal: controller.signal })
      setTimeout(() => controller.abort(new Error('stop')), 1)
      await expect(call).rejects.toThrow('stop')
      hangs = false
      const { messages, warnings } = await session.prepare(talk(2))
      expect(messages).toEqual(talk(2))
      expect(warnings).toEqual([])
      expect(session.transcript).toHaveLength(6)
    },
  )

  it('drops what the engine returns later', async () => {
    let finish = () => {}
    const { session, events } = open({
      shouldCompress: () => true,
      compress: async (call: CompressCall) => {
        await new Promise<void>((resolve) => {
          finish = resolve
        })
        return compress(call)
      },
    })
    const controller = new AbortController()
    const call = session.prepare(talk(3), { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('stop')), 1)
    await expect(call).rejects.toThrow('stop')
    finish()
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect(events.some(({ type }) => type === 'compaction')).toBe(false)
    expect(session.engine.compressionCount).toBe(0)
  })

  it('of a compaction or a tool rejects too', async () => {
    const { session } = open({
      compress: never,
      toolSchemas: () => [{ type: 'function', function: { name: 'recall' } }],
      handleToolCall: never,
    })
    await session.prepare(talk(2))
    for (const call of [
      (signal: AbortSignal) => session.compact({ signal }),
      (signal: AbortSignal) => session.callTool('recall', {}, { signal }),
    ]) {
      const controller = new AbortController()
      const pending = call(controller.signal)
      setTimeout(() => controller.abort(new Error('stop')), 1)
      await expect(pending).rejects.toThrow('stop')
    }
  })
})

describe('createSerialQueue', () => {
  it('begins at once when nothing runs', async () => {
    const enqueue = createSerialQueue()
    let began = false
    const run = enqueue(async () => {
      began = true
    })
    expect(began).toBe(true)
    expect(enqueue.idle).toBe(false)
    await run
    expect(enqueue.idle).toBe(true)
  })
})
