import { describe, expect, it } from 'vitest'
import { compress, open } from './doubles.ts'
import { assistant, long, talk, user } from './talk.ts'

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

  it('is said again for the next compaction', async () => {
    const warning = { code: 'summariser-failed', message: 'a summary without a model was made' }
    const { session } = open({
      shouldCompress: ({ promptTokens = 0 } = {}) => promptTokens > 200,
      compress: async (call) => ({ ...(await compress(call)), warnings: [warning] }),
    })
    expect((await session.prepare(talk(3))).warnings).toEqual([warning])
    expect((await session.prepare(talk(3))).warnings).toEqual([])
    const later = [...talk(3), assistant(long('more')), user(long('and more'))]
    expect((await session.prepare([...later, assistant(long('again')), user('go on')])).warnings).toEqual([
      warning,
    ])
  })

  it('about something between two requests comes with the next one', async () => {
    const onTurnComplete = async () => {
      throw new Error('no disk')
    }
    const { session } = open({ onTurnComplete })
    await session.prepare([user('a')])
    await session.observe({ interrupted: true })
    const { warnings } = await session.prepare([user('a')])
    expect(warnings).toMatchObject([
      { code: 'engine-failed', message: expect.stringContaining('onTurnComplete') },
    ])
  })
})
