import { describe, expect, it } from 'vitest'
import { lineAt } from '../../src/messages/shorten-message.ts'

describe('lineAt', () => {
  it('counts from one', () => {
    expect([0, 3, 4, 8].map((offset) => lineAt('one\ntwo\nthree', offset))).toEqual([1, 1, 2, 3])
  })

  it('counts the lines of a text at its end', () => {
    expect(['', 'one', 'one\n', '\n\ntwo'].map((text) => lineAt(text, text.length))).toEqual([1, 1, 2, 3])
  })
})
