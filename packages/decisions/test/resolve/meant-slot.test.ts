import { describe, expect, it } from 'vitest'
import { createConversation } from './conversation.ts'

const QUEUE = 'We use RabbitMQ for the queue.'

function recordOf(turns: readonly string[]): string[] {
  const { hear, ledger } = createConversation()
  for (const [turn, text] of turns.entries()) hear(2 * turn, text)
  return ledger.all
    .filter(({ status }) => status === 'active')
    .map(({ slot, area, choice }) => `${slot}${area === '' ? '' : ` (${area})`}: ${choice}`)
}

describe('a change without a word for its subject', () => {
  it.each([
    'Use Redis instead.',
    'Switch to Redis.',
    'Sorry, I meant Redis.',
    'No, Redis.',
    'Make that Redis.',
  ])('is of what was decided in the turn before: %s', (text) => {
    expect(recordOf([QUEUE, text])).toEqual(['queue: Redis'])
  })

  it('takes one place where several things stand', () => {
    expect(recordOf(['Use lodash.', 'Use Moment.js for dates.', 'Use Day.js instead.'])).toEqual([
      'library: lodash',
      'library (dates): Day.js',
    ])
    expect(recordOf(['Use OpenAI.', 'Use Anthropic too.'])).toHaveLength(2)
  })

  it('stays in the part of the project', () => {
    expect(recordOf(['We use Postgres for the ledger.', 'Use MySQL instead.'])).toEqual([
      'datastore (ledger): MySQL',
    ])
  })

  it('adds nothing when it is read again', () => {
    for (const turns of [
      [QUEUE, 'Use Redis instead.'],
      ['We use Postgres for the ledger.', 'Use MySQL instead.'],
      ['Use OpenAI.', 'Use Anthropic instead.'],
      ['Set the retries to 3 and the timeout to 10 s.', 'Make it 20 s.'],
    ]) {
      const { hear, ledger } = createConversation()
      for (const [turn, text] of turns.entries()) hear(2 * turn, text)
      const { length } = ledger.events
      for (const [turn, text] of turns.entries()) hear(2 * turn, text)
      expect(ledger.events.slice(length)).toEqual([])
    }
  })

  it('has its line in the words of what it changes', () => {
    const { hear, find } = createConversation()
    hear(0, QUEUE)
    hear(2, 'Use Redis instead.')
    expect(find('Redis')).toMatchObject({ l0: 'queue: Redis', category: find('RabbitMQ').category })
    expect(find('RabbitMQ').status).toBe('superseded')
  })

  it.each<[string, string[], string[]]>([
    ['its subject is named', [QUEUE, 'Use Redis for caching instead.'], ['queue: RabbitMQ', 'cache: Redis']],
    ['it is no change', [QUEUE, 'Also use Redis.'], ['queue: RabbitMQ', 'cache: Redis']],
    ['it cannot take that place', [QUEUE, 'Use MySQL instead.'], ['queue: RabbitMQ', 'datastore: MySQL']],
    [
      'something stands in its usual place',
      ['Use Redis for the cache.', QUEUE, 'Use Valkey instead.'],
      ['queue: RabbitMQ', 'cache: Valkey'],
    ],
    [
      'it could take two places',
      ['We use RabbitMQ for the queue and Postgres for the data.', 'Use Redis instead.'],
      ['queue: RabbitMQ', 'datastore (data): PostgreSQL', 'cache: Redis'],
    ],
    [
      'a turn lies between',
      [QUEUE, 'How is the weather?', 'Use Redis instead.'],
      ['queue: RabbitMQ', 'cache: Redis'],
    ],
  ])('is in its usual place where %s', (_, turns, expected) => {
    expect(recordOf(turns)).toEqual(expected)
  })
})
