import { describe, expect, it, vi } from 'vitest'
import { createContextSession, defineContextEngine, printWarning } from '../../src/index.ts'
import { open } from './doubles.ts'
import { talk } from './talk.ts'

describe('a warning', () => {
  it('is said once while a condition lasts, and again after a reset', async () => {
    const broken = async () => {
      throw new Error('broken')
    }
    const { session, events } = open({ shouldCompress: () => true, compress: broken })
    expect((await session.prepare(talk(2))).warnings).toHaveLength(1)
    expect((await session.prepare(talk(2))).warnings).toEqual([])
    expect(events.filter(({ type }) => type === 'warning')).toHaveLength(1)
    await session.reset()
    expect((await session.prepare(talk(2))).warnings).toHaveLength(1)
  })

  it('that no listener gets goes to the host, where it asked for them', async () => {
    const engine = defineContextEngine({
      name: 'broken',
      apiVersion: 1,
      description: 'fails',
      create: () => ({
        shouldCompress: () => true,
        compress: () => Promise.reject(new Error('broken')),
      }),
    })
    const unheard: string[] = []
    const session = createContextSession({
      ...{ engine, contextLength: 10_000 },
      onUnheardWarning: ({ code }) => unheard.push(code),
    })
    const stop = session.subscribe(() => {})
    await session.prepare(talk(2))
    expect(unheard).toEqual([])
    stop()
    await session.reset()
    await session.prepare(talk(2))
    expect(unheard).toEqual(['engine-failed'])
  })

  it('is printed once', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    for (const message of ['a', 'b', 'a']) printWarning({ code: 'any', message })
    expect(warn.mock.calls).toEqual([['palimpsest: a'], ['palimpsest: b']])
    warn.mockRestore()
  })
})
