import { describe, expect, it } from 'vitest'
import { candidatesOf, read } from './read.ts'

const RULE = 'In the voucher import, always wait for `foo_bar` before you send mail.'

describe('a correction', () => {
  it.each([
    ['Sorry, I was wrong: the attempts of the price sync is 500.', '500 (price sync)'],
    ['Scratch that, use Redis.', 'cache: Redis'],
    ["On second thought, let's use MySQL.", 'datastore: MySQL'],
    ['wait, no, port 9000', 'setting:port: 9000'],
    ['The port is 9000, not 8080.', 'setting:port: 9000 was 8080'],
    ['The timeout is not 417 but 500 ms.', 'setting:timeout: 500 ms was 417'],
    ['Use port 9000 instead of 8080.', 'setting:port: 9000 was 8080'],
    ['Set the timeout to 500 ms instead.', 'setting:timeout: 500 ms'],
    ['Actually, forget SQLite. For our master data we go with MySQL.', 'datastore: MySQL'],
  ])('is a change: %s', (text, expected) => {
    const candidates = candidatesOf(text).filter(({ kind }) => kind !== 'amend')
    expect(candidates).toHaveLength(1)
    expect(candidates[0]).toMatchObject({ kind: 'assert', isChange: true })
    expect(read(text)[0]).toContain(expected)
  })

  it.each([
    ["Let's use Postgres. Sorry, I mean MySQL.", ['datastore: MySQL']],
    ['Use TypeScript 5.4, no, 5.6.', ['language: TypeScript 5.6']],
    ["Let's go with pnpm. Actually no, npm.", ['package-manager: npm']],
    ['set the port to 3000, scratch that, 4000', ['setting:port: 4000']],
    ['Use MongoDB... or rather, DynamoDB.', ['datastore: DynamoDB']],
    ['Deploy on Render. Ah no, on Railway.', ['hosting: Railway']],
    ['take sqlite... hmm no, postgres', ['datastore: PostgreSQL']],
    ["Let's use Postgres. Just kidding, we use MySQL.", ['datastore: MySQL']],
    ['Use Redis for caching and RabbitMQ for the queue, I mean Kafka.', ['cache: Redis', 'queue: Kafka']],
    ["Let's use Kubernetes for this. Wait, I take that back.", []],
    ["Use pnpm. Let's add Sentry. Never mind, let's not.", ['package-manager: pnpm']],
  ])('within a message leaves only what is meant: %s', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  it.each([
    ['10s is better', '10s'],
    ['hmm, 64 is enough then.', '64'],
    ['sorry, I meant 60 seconds', '60 seconds'],
    ["That's way too short, use 60.", '60'],
    ['That is not enough. Take 60 s.', '60 s'],
    ['Use 60 instead.', '60'],
    ['Upgrade to 3.12.', '3.12'],
  ])('of what was said before: %s', (text, value) => {
    expect(candidatesOf(text)).toMatchObject([{ kind: 'amend', value }])
  })

  it.each([
    ...['Redis is better', 'it is better', 'this is enough', '10s is better than before', 'Use 60.'],
    ...['The page is too slow. Use 60 threads.', 'It is too slow on that page, look at line 60.'],
  ])('is not: %s', (text) => {
    expect(candidatesOf(text).filter(({ kind }) => kind === 'amend')).toEqual([])
  })

  it('answers a proposal', () => {
    expect(candidatesOf('no, port 9000', 'I will set the port to 8080.')).toMatchObject([
      { kind: 'assert', choice: { slot: 'setting:port', choice: '9000' }, isChange: true },
    ])
  })

  it('gives a rule with another name the same slot', () => {
    const [one] = candidatesOf(RULE)
    const [other] = candidatesOf(RULE.replace('foo_bar', 'baz_qux'))
    if (one?.kind !== 'assert' || other?.kind !== 'assert') throw new Error('no rule was read')
    expect(one.choice.slot).toBe(other.choice.slot)
  })

  it.each([
    'Actually, that works.',
    'Correction: the bug is in line 41, not in line 40.',
    'forget it',
    'No, the other file.',
    'we ship ES modules only, sorry Discord',
    'ok nvm, grafana moved away last night.',
    'Postgres, actually, is fine.',
  ])('of something else decides nothing: %s', (text) => {
    expect(read(text)).toEqual([])
  })

  it.each([
    ['I was wrong about Postgres, MySQL fits better.', []],
    ['We no longer use Redis; Memcached took its place.', ['cache: Memcached was Redis']],
    ["It's Vitest for tests after all, not Jest.", []],
    ['I thought about the cache over the weekend and Redis wins.', []],
    ['Not Nx… anything but nx', []],
    ['不要用 lodash', []],
    ['The other team already has Kafka, so…', []],
  ])('or nothing, but never the opposite: %s', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  it('takes no known one of two options, when the other is the one that is suggested', () => {
    const before = 'Temporal or a plain table? I would take the plain table.'
    expect(read('lgtm', before).filter((line) => line.includes('Temporal'))).toEqual([])
  })

  it.each([
    'expected: MongoDB\nreceived: Postgres\nstatus: failed',
    'Error: connect ECONNREFUSED\n    at TCP.afterConnect (node:net:443:11) {\n  errno: -2,\n  code: ENOENT\n}',
    '{\n  "language": "Bash",\n  "database": "MongoDB"\n}',
  ])('is not what is pasted: %s', (text) => {
    expect(read(text)).toEqual([])
  })
})
