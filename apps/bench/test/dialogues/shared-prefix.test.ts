import { countMessages, type Message } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { describe, expect, it } from 'vitest'
import { sharedPrefix } from '../../src/dialogues/shared-prefix.ts'

const tokens = createTokenCounter()
const user = (content: string): Message => ({ role: 'user', content })
const [one, two, three] = [user('one two three four'), user('five six'), user('seven')]

describe('sharedPrefix', () => {
  it('is all of the request before when the next one only goes on', () => {
    expect(sharedPrefix([one, two], [one, two, three], tokens)).toBe(countMessages(tokens, [one, two]))
  })

  it('ends where the first message differs, inside of it', () => {
    expect(sharedPrefix([one, two], [three, two], tokens)).toBe(0)
    const shared = sharedPrefix([two, one], [two, user('one two nine')], tokens)
    expect(shared).toBeGreaterThan(countMessages(tokens, [two]))
    expect(shared).toBeLessThan(countMessages(tokens, [two, one]))
  })

  it('does not go on behind a message that is another one', () => {
    expect(sharedPrefix([one, two, three], [one, three, three], tokens)).toBeLessThan(
      countMessages(tokens, [one, two]),
    )
  })
})
