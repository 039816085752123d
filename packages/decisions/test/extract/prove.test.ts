import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../src/extract/candidate.ts'
import { prove } from '../../src/extract/prove.ts'
import type { Kind } from '../../src/log/decision-event.ts'
import { said } from '../log.ts'

interface Given {
  readonly quote: string
  readonly kind?: Kind
  readonly value?: string
  readonly seq?: number
  readonly accepts?: string
  readonly action?: Candidate['action']
}

function candidate({
  quote,
  kind = 'choice',
  value = 'Redis',
  seq = 0,
  accepts,
  action = 'create',
}: Given): Candidate {
  return {
    action,
    quote,
    seq,
    statement: { kind, category: 'decisions', subject: 'cache', value, l0: `The cache is ${value}.` },
    ...(accepts !== undefined && { proposal: accepts }),
  }
}

/** The refusal, or who said what. */
function proved(texts: readonly string[], given: Given): string {
  const found = prove(candidate(given), said(...texts))
  if (typeof found === 'string') return found
  const { span, authority } = found
  return `${authority}: ${span.message.text.slice(span.start, span.end)}`
}

describe('a quote', () => {
  it.each([
    ['as it was said', 'We use Redis for the cache.', 'We use Redis', 'We use Redis'],
    ['with other white space', 'We  use\n Redis.', 'We use Redis.', 'We  use\n Redis'],
    [
      'without Markdown and quotes',
      'We use **`Redis`**, “always”.',
      'we use Redis, "always"',
      'We use **`Redis`**, “always',
    ],
    [
      'with a missing end',
      'We use Redis for the cache of the whole shop.',
      'We use Redis for the cache of the …',
      'We use Redis for the cache of the',
    ],
    [
      'with another end',
      'We use Redis for the cache of the shop.',
      'We use Redis for the cache of all',
      'We use Redis for the cache of',
    ],
    ['in another script', '我们使用 Redis 作为缓存。', '使用 Redis 作为缓存', '使用 Redis 作为缓存'],
  ])('is found %s', (_, text, quote, found) => {
    expect(proved([text], { quote })).toBe(`stated: ${found}`)
  })

  it('is found in another message than the one that was named, and not where it is not', () => {
    const texts = ['Hello.', 'A: Hello.', 'We use Redis for the cache.']
    expect(proved(texts, { quote: 'We use Redis for the cache', seq: 0 })).toMatch(/^stated/)
    expect(proved(texts, { quote: 'We use Memcached for the cache', seq: 2 })).toBe('quote-not-found')
    expect(proved(texts, { quote: '', seq: 2 })).toBe('quote-not-found')
  })

  it('is from whoever wrote the message', () => {
    const texts = ['What do you suggest?', 'A: I would use Redis. Never log a key.']
    expect(proved(texts, { quote: 'I would use Redis', seq: 1 })).toMatch(/^proposed/)
    expect(proved(texts, { quote: 'Never log a key', kind: 'rule', seq: 1 })).toBe('not-the-users-words')
  })

  it('of a rule is kept word for word, to the end of its sentence', () => {
    const [message] = said('Please: always answer in  Spanish, also when I write English. Thanks!')
    const found = prove(
      candidate({ quote: 'always answer in Spanish', kind: 'rule' }),
      message ? [message] : [],
    )
    expect(found).toMatchObject({
      statement: { value: 'always answer in Spanish, also when I write English.' },
    })
  })
})

describe('what the user shows', () => {
  it.each([
    ['fenced', 'Look:\n```\nWe use Redis.\n```'],
    ['quoted', 'They wrote:\n> We use Redis.'],
    ['a mail', 'See below.\n\nFrom: Ann\nSubject: Cache\n\nWe use Redis.\n\nWhat do you think?'],
    ['a diff', 'Is this right?\n@@ -1,2 +1,2 @@\n-cache: none\n+We use Redis.'],
    ['a log', 'It says\n2026-01-02 10:00:00 INFO We use Redis.'],
    [
      'a long block between two short sentences',
      `Read this.\n\n${'It is a page about many things. '.repeat(30)}We use Redis.\n\nClear?`,
    ],
  ])('is no decision of theirs: %s', (_, text) => {
    expect(proved([text], { quote: 'We use Redis.' })).toBe('pasted')
    expect(proved([text], { quote: 'We use Redis.', kind: 'fact' })).toMatch(/^proposed/)
  })

  it('is told from what the user says beside it, and from a list of rules', () => {
    expect(proved(['We use Redis.\n```\nmemcached\n```'], { quote: 'We use Redis.' })).toMatch(/^stated/)
    const rules = Array.from(
      { length: 8 },
      (_, index) => `${index + 1}. Rule ${index} ${'holds for all of the code '.repeat(5)}`,
    )
    const text = `Follow these rules:\n\n${rules.join('\n')}\n\nBegin with the first.`
    expect(proved([text], { quote: 'Rule 3 holds for all of the code', kind: 'rule' })).toMatch(/^stated/)
  })
})

describe('a short answer', () => {
  const asked = ['What now?', 'A: We could log to files.\n\nShall I use Redis for the cache?', 'Yes, do it.']

  it('accepts what the assistant asked last', () => {
    expect(proved(asked, { quote: 'Yes, do it', seq: 2, accepts: 'Shall I use Redis for the cache?' })).toBe(
      'accepted: Yes, do it',
    )
    const options = [
      'Which?',
      'A: Two ways:\n\n1. Memcached\n2. Redis\n\nWhich one do you want?',
      'the second one',
    ]
    expect(proved(options, { quote: 'the second one', seq: 2, accepts: '2. Redis' })).toMatch(/^accepted/)
  })

  it.each([
    ['without what it accepts', asked, { quote: 'Yes, do it', seq: 2 }, 'bare-answer'],
    [
      'to something that was said before the question',
      asked,
      { quote: 'Yes, do it', seq: 2, accepts: 'We could log to files' },
      'not-what-was-asked',
    ],
    [
      'to words that the assistant did not say',
      asked,
      { quote: 'Yes, do it', seq: 2, accepts: 'Shall I use Kafka?' },
      'not-what-was-asked',
    ],
    [
      'after another message',
      [...asked.slice(0, 2), 'Wait.', 'Yes.'],
      { quote: 'Yes.', seq: 3, accepts: 'Shall I use Redis for the cache?' },
      'not-what-was-asked',
    ],
  ])('is refused %s', (_, texts, given, reason) => {
    expect(proved(texts, given)).toBe(reason)
  })

  it('that names the value says it', () => {
    expect(proved(['Which cache?', 'A: What do you want?', 'Redis.'], { quote: 'Redis.', seq: 2 })).toBe(
      'stated: Redis',
    )
    expect(proved(['And retries?', 'A: How many?', '5'], { quote: '5', value: '5', seq: 2 })).toBe(
      'stated: 5',
    )
  })

  it('may end something', () => {
    expect(proved(['Drop it.'], { quote: 'Drop it', action: 'retract' })).toMatch(/^stated/)
  })
})
