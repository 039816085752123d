import { describe, expect, it } from 'vitest'
import { assertResult, explainError } from '../../src/harness/time-limit.ts'

describe('explainError', () => {
  it.each([
    ['a member is written', () => Object.assign(Object.freeze({ content: 'x' }), { content: 'y' })],
    ['a member is added', () => Object.assign(Object.freeze({}), { pruned: true })],
    ['a list is extended', () => (Object.freeze([]) as unknown as unknown[]).push(1)],
    ['a list is emptied', () => (Object.freeze([1]) as unknown as unknown[]).splice(0)],
  ])('says that %s of what was given', (_, write) => {
    expect(() => {
      try {
        write()
      } catch (error) {
        throw explainError(error, 'compress()')
      }
    }).toThrow(/^compress\(\) writes to what it was given, which is frozen \(law 6: copy it first\): /)
  })

  it('leaves every other error as it is', () => {
    const error = new TypeError('x is not a function')
    expect(explainError(error, 'compress()')).toBe(error)
  })
})

describe('assertResult', () => {
  it.each([
    [undefined, 'resolved to undefined'],
    [null, 'resolved to null'],
    [[], 'resolved to a list'],
    [{ messages: [] }, 'an object with the keys messages'],
    ['done', 'resolved to done'],
  ])('names %j', (value, text) => {
    expect(() => assertResult(value)).toThrow(text)
  })

  it('takes what has an outcome and messages', () => {
    expect(() => assertResult({ outcome: 'unchanged', messages: [] })).not.toThrow()
  })
})
