import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { kindOfStatus, providerError } from '../src/index.ts'

const key = 'a key of one word'

describe('an error of a provider', () => {
  it('says what to do and what was said, in one line that is not too long', () => {
    const said = `It broke.\n\n  ${'Very much so. '.repeat(100)}`
    const error = providerError({ kind: 'overloaded', advice: 'try again later', said })
    expect(error.message).toMatch(/^try again later: It broke\. Very much so\. /)
    expect(error.message.length).toBeLessThan(330)
    expect(providerError({ kind: 'unknown', advice: 'the call failed', said: ' \n' }).message).toBe(
      'the call failed: no details',
    )
  })

  it.each([
    ['UND_ERR_HEADERS_TIMEOUT', '300 s for the beginning of an answer'],
    ['UND_ERR_BODY_TIMEOUT', '300 s for the next piece of an answer'],
    ['UND_ERR_CONNECT_TIMEOUT', '10 s for a connection'],
  ])('names the limit of fetch that ended the call: %s', (code, limit) => {
    const cause = new TypeError('fetch failed', { cause: Object.assign(new Error('late'), { code }) })
    const error = providerError({ kind: 'timeout', advice: 'try again', said: 'late', cause })
    expect(error.message).toBe(
      `try again (the limit is that of fetch, in Node ${limit} unless its dispatcher has another): late`,
    )
  })

  it('carries no key: not in its words, nor in causes, their stacks and what else was on them', () => {
    const inner = Object.assign(new Error(`bad header ${key}`), { code: 'ERR_INVALID_CHAR' })
    const cause = Object.assign(new Error(`sent ${key}`, { cause: inner }), { request: { key } })
    const error = providerError(
      { kind: 'auth', advice: `https://x/${key} refused the key`, said: `${key} is wrong`, cause },
      [key],
    )
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(key)
    expect(error.message).toBe('https://x/[REDACTED:key] refused the key: [REDACTED:key] is wrong')
    expect(error).toMatchObject({ cause: { name: 'Error', cause: { code: 'ERR_INVALID_CHAR' } } })
  })

  it('keeps causes that go round in a circle out of the way', () => {
    const cause = new Error('first')
    cause.cause = new Error('second', { cause })
    expect(providerError({ kind: 'network', advice: 'a', said: 'b', cause })).toMatchObject({
      cause: { cause: { cause: { cause: { cause: { message: 'first' } } } } },
    })
  })

  it.each([
    [401, 'auth'],
    [402, 'quota'],
    [404, 'invalid-request'],
    [408, 'timeout'],
    [429, 'quota'],
    [503, 'overloaded'],
    [504, 'timeout'],
    [302, 'unknown'],
  ])('is, with the status %i, of the kind %s', (status, kind) => {
    expect(kindOfStatus(status)).toBe(kind)
  })
})
