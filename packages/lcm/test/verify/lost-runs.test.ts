import { describe, expect, it } from 'vitest'
import { verifySession } from '../../src/verify/verify-session.ts'
import { damaged, soundSession } from './damaged-session.ts'

const codes = ['message-missing', 'message-unreadable']

describe('messages that are lost together', () => {
  it('are told as one run, however long', async () => {
    const session = await soundSession()
    const lost = damaged(session, {
      message: (row) => ([2, 8, 9, 10].includes(row.seq) ? null : row),
    })
    const faults = (await verifySession(lost)).filter(({ code }) => codes.includes(code))
    expect(faults.map(({ ref, message }) => [ref, message])).toEqual([
      ['m2', 'm2 is not there'],
      ['m8-m10', 'm8-m10 (3 messages) are not there'],
    ])
  })

  it('are another run where the reason is another', async () => {
    const session = await soundSession()
    const lost = damaged(session, {
      message(row) {
        if (row.seq === 8) return null
        if (row.seq === 9 || row.seq === 10) throw new Error('the page is damaged')
        return row
      },
    })
    const faults = (await verifySession(lost)).filter(({ code }) => codes.includes(code))
    expect(faults.map(({ code, ref, message }) => [code, ref, message])).toEqual([
      ['message-missing', 'm8', 'm8 is not there'],
      ['message-unreadable', 'm9-m10', 'm9-m10 (2 messages) cannot be read: the page is damaged'],
    ])
  })
})
