import type { Role } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../src/candidates/candidate.ts'
import { type Decision, isContested, isRemark } from '../../src/log/decision.ts'
import { createConversation } from './conversation.ts'

function begun() {
  const talk = createConversation()
  const { resolve, say, state } = talk
  resolve(state(0, 'We use Postgres.', {}))
  return {
    ...talk,
    remark: (message: number, text: string, slots: readonly string[] = ['datastore'], isDoubt = true) =>
      resolve({ kind: 'remark', span: say(message, text), slots, isDoubt }),
    does: (message: number, text: string, choice: string, role: Role = 'assistant') => {
      const { choice: said } = state(message, '', { choice }) as Extract<Candidate, { kind: 'assert' }>
      const base = { span: say(message, text, role), choice: said, isChange: false }
      resolve({ kind: 'propose', ...base })
    },
    remarks: (choice: string) => talk.find(choice).remarks.map(({ turn, role }) => `${role}, turn ${turn}`),
    free: () => talk.ledger.all.filter((decision) => isRemark(decision) && decision.status === 'proposed'),
  }
}

describe('what the user says without a plain value', () => {
  it('contests what holds, ends nothing, and is no value', () => {
    const { remark, find, active, remarks, free } = begun()
    expect(remark(4, 'I doubt that Postgres is right for us.').events).toMatchObject([{ type: 'remarked' }])
    expect(active()).toEqual(['Postgres'])
    expect(remarks('Postgres')).toEqual(['user, turn 3'])
    expect(isContested(find('Postgres'))).toBe(true)
    expect(free()).toEqual([])
  })

  it('is settled by a plain word for it', () => {
    const { remark, resolve, state, find } = begun()
    remark(4, 'I doubt that Postgres is right for us.')
    resolve(state(6, 'OK, Postgres stays.', {}))
    expect(isContested(find('Postgres'))).toBe(false)
    expect(find('Postgres').sources).toHaveLength(2)
  })

  it('is settled however often it was said before', () => {
    const { remark, resolve, state, find } = begun()
    for (let message = 2; message < 40; message += 2) resolve(state(message, `Postgres (${message}).`, {}))
    remark(40, 'I doubt that Postgres is right for us.')
    resolve(state(42, 'OK, Postgres stays.', {}))
    expect(isContested(find('Postgres'))).toBe(false)
  })

  it('is settled by a plain word for something else, which needs no word of change', () => {
    const { remark, resolve, state, active, find } = begun()
    remark(4, 'I doubt that Postgres is right for us.')
    resolve(state(6, 'We use MySQL.', { choice: 'MySQL' }))
    expect(active()).toEqual(['MySQL'])
    expect(find('MySQL').contestedBy).toEqual([])
  })

  it('is not settled by the assistant, or by what was said before it and found late', () => {
    const { remark, does, resolve, state, remarks } = begun()
    remark(4, 'I doubt that Postgres is right for us.')
    does(5, 'I use Postgres.', 'Postgres')
    resolve(state(2, 'Postgres, as always.', {}))
    expect(remarks('Postgres')).toEqual(['user, turn 3'])
  })

  it.each([
    [
      'another technology of the slot, without any doubt',
      'MySQL has better hosting.',
      ['datastore'],
      false,
      true,
    ],
    ['the slot by its name', 'I wish we had another database.', ['datastore'], true, true],
    ['the value in passing', 'Add an index to the Postgres table.', ['datastore'], false, false],
    ['another slot', 'I would rather have another cache.', ['cache'], true, false],
    [
      'a technology of another slot',
      'I would rather have Memcached in the database host.',
      ['cache', 'datastore'],
      true,
      false,
    ],
  ])('contests by naming %s: %s', (_, text, slots, isDoubt, isMeant) => {
    const { remark, find } = begun()
    remark(4, text, slots, isDoubt)
    expect(isContested(find('Postgres'))).toBe(isMeant)
  })

  it('finds a decision without a slot word by its subject or its name', () => {
    const { remark, resolve, state, find } = begun()
    resolve(state(2, 'Five retries.', { slot: 'setting:max-retries', choice: '5' }))
    resolve(state(2, 'Sessions go to sessions.db.', { slot: 'location:sessions', choice: 'sessions.db' }))
    remark(4, 'I would rather have fewer max retries.', [])
    remark(6, 'sessions.db was a mistake, I regret it.', [])
    expect(isContested(find('5'))).toBe(true)
    expect(isContested(find('sessions.db'))).toBe(true)
    expect(isContested(find('Postgres'))).toBe(false)
  })

  it.each(['Revert max_retries to the default.', 'Do not set `maxRetries`.'])(
    'finds a setting by its name in code: %s',
    (text) => {
      const { hear, find } = createConversation()
      hear(0, 'Set max retries to 5.')
      hear(2, text)
      expect(isContested(find('5'))).toBe(true)
    },
  )

  it('contests the choice of a part only where the part or its value is named', () => {
    const { remark, resolve, state, find } = begun()
    resolve(state(2, 'ClickHouse for analytics.', { choice: 'ClickHouse', area: 'analytics' }))
    remark(4, 'I doubt that Postgres is right for us.')
    expect([find('Postgres'), find('ClickHouse')].map(isContested)).toEqual([true, false])
    remark(6, 'For analytics I would rather have another database.')
    expect(isContested(find('ClickHouse'))).toBe(true)
  })

  it('is kept as words where nothing holds, until something does', () => {
    const { remark, resolve, state, free, find, ledger } = begun()
    remark(4, 'Kafka feels like overkill.', ['queue'])
    expect(free()).toMatchObject([{ slot: 'remark:queue', choice: 'Kafka feels like overkill.' }])
    expect(ledger.ofSlot('queue')).toEqual([])
    resolve(state(6, 'RabbitMQ it is.', { slot: 'queue', choice: 'RabbitMQ' }))
    expect(free()).toEqual([])
    expect(find('RabbitMQ')).toMatchObject({ status: 'active', contestedBy: [], remarks: [] })
  })

  it('counts only as the words of a user', () => {
    const { resolve, say, free, remarks } = begun()
    const span = say(5, 'I doubt that Postgres is right.', 'assistant')
    resolve({ kind: 'remark', span, slots: ['datastore', 'queue'], isDoubt: true })
    expect([...free(), ...remarks('Postgres')]).toEqual([])
  })
})

describe('another value that the assistant takes unasked', () => {
  it.each([
    ['announced', "I've switched the database to MySQL."],
    ['planned', "I'll use MySQL for the database."],
  ])('and has %s contests what the user stated, until the user speaks', (_, text) => {
    const { does, resolve, state, active, remarks, find } = begun()
    does(5, text, 'MySQL')
    expect(active()).toEqual(['Postgres'])
    expect(find('MySQL').status).toBe('proposed')
    expect(remarks('Postgres')).toEqual(['assistant, turn 3'])
    does(7, `Once more: ${text}`, 'MySQL')
    expect(remarks('Postgres')).toHaveLength(1)
    resolve(state(8, 'No, Postgres.', {}))
    expect(isContested(find('Postgres'))).toBe(false)
  })

  it.each(['I suggest MySQL instead.', 'We could use MySQL.', "I'll take MySQL, ok?", 'MySQL'])(
    'contests nothing while it is a suggestion: %s',
    (text) => {
      const { does, remarks } = begun()
      does(5, text, 'MySQL')
      expect(remarks('Postgres')).toEqual([])
    },
  )

  it('contests nothing that the user said later', () => {
    const { does, resolve, state, find } = begun()
    const isOpen = (decision: Decision) => isContested(decision)
    resolve(state(6, 'Postgres, I said.', {}))
    does(3, "I've switched the database to MySQL.", 'MySQL')
    expect(isOpen(find('Postgres'))).toBe(false)
  })
})
