import { describe, expect, it } from 'vitest'
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
})
