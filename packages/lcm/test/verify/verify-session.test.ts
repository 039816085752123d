import { describe, expect, it } from 'vitest'
import { StoreError } from '../../src/errors/store-error.ts'
import { AT, compactTo, edit, encode, hostileMessages, talk, texts } from '../../src/store-tests/harness.ts'
import { verifySession } from '../../src/verify/verify-session.ts'
import { memoryStore } from '../memory-store.ts'
import { damaged, soundSession } from './damaged-session.ts'
import { atMessage, atSummary, DAMAGES } from './damages.ts'

describe('verifySession', () => {
  it('finds nothing wrong with a sound session, and with hostile messages', async () => {
    const session = await soundSession()
    expect(await verifySession(session)).toEqual([])
    const { nextSeq } = await session.head()
    const messages = Object.values(hostileMessages()).map(encode)
    await session.append({ nextSeq, messages, at: AT })
    expect(await verifySession(session)).toEqual([])
  })

  for (const [what, code, ref, damage] of DAMAGES)
    it(`says ${code} when ${what}`, async () => {
      const faults = await verifySession(damaged(await soundSession(), damage))
      expect(faults).toContainEqual({
        ...{ code, ref, principal: 'local', key: 'a', repairable: false },
        message: expect.stringMatching(/^[^.]*$/),
      })
    })

  it('names the message, the summary or the version that cannot be read, and checks the others', async () => {
    const session = await soundSession()
    const corrupt = () => {
      throw new StoreError('STORE_CORRUPT', 'the row is damaged')
    }
    const message = await verifySession(damaged(session, { message: atMessage(6, corrupt) }))
    expect(message.map(({ code, ref }) => [code, ref])).toEqual([['message-unreadable', 'm6']])
    expect(message[0]?.message).toContain('the row is damaged')
    const summary = await verifySession(damaged(session, { summary: atSummary(5, corrupt) }))
    expect(summary.map(({ code, ref }) => [code, ref])).toEqual([
      ['summary-unreadable', 's5'],
      ['frontier-unreadable', 'v7'],
    ])
  })

  it('rejects when the store cannot be read at all', async () => {
    const store = memoryStore()
    const session = await talk(store, 'a', 'one')
    await store.close()
    await expect(verifySession(session)).rejects.toMatchObject({ code: 'STORE_CLOSED' })
  })

  it('finds what stands far behind, and lists no more faults than one can read', async () => {
    const session = await talk(memoryStore(), 'a', ...texts(3_000))
    for (let last = 4; last < 2_500; last += 5) await compactTo(session, last)
    const late = await verifySession(damaged(session, { message: atMessage(2_999, () => null) }))
    expect(late.map(({ code, ref }) => [code, ref])).toEqual([['message-missing', 'm2999']])
    const ruins = await verifySession(damaged(session, { message: (row) => ({ ...row, hash: '' }) }))
    expect(ruins).toHaveLength(1_001)
    expect(ruins.at(-1)?.code).toBe('more-faults')
  })

  it('does not take for damage what a writer does meanwhile', async () => {
    const session = await talk(memoryStore(), 'a', ...texts(10))
    let edits = 0
    const busy: typeof session = {
      ...session,
      async messages(query) {
        // The head that was read before does not know of it.
        if (edits++ === 0) await edit(session, 8, [], 'new')
        return session.messages(query)
      },
    }
    expect(await verifySession(busy)).toEqual([])
  })
})
