import { describe, expect, it } from 'vitest'
import { HOSTILE_TEXTS, hostileText, TEXT_READERS } from '../src/speed/hostile-texts.ts'

/** An expression above linear takes minutes for a text of this length, or does not end: the limit of the test ends it. */
const CHARACTERS = 250_000

describe.each(Object.keys(TEXT_READERS))('%s', (name) => {
  const read = TEXT_READERS[name] ?? (() => undefined)

  it.each(Object.keys(HOSTILE_TEXTS))('comes to an end with 250 KB of %s', (text) => {
    expect(read(hostileText(text, CHARACTERS))).toBeDefined()
  })
})
