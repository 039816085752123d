import { countMessages, type Message } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { describe, expect, it } from 'vitest'
import { sharedPrefix } from '../../src/dialogues/shared-prefix.ts'

const tokens = createTokenCounter()
const user = (content: string): Message => ({ role: 'user', content })
const shared = (before: readonly Message[], after: readonly Message[]): number => {
  const count = (messages: readonly Message[]) => ({
    messages,
    sizes: messages.map((message) => tokens.countMessage(message)),
  })
  return sharedPrefix(count(before), count(after), tokens)
}
const [one, two, three] = [user('one two three four'), user('five six'), user('seven')]

describe('sharedPrefix', () => {
  it('is all of the request before when the next one only goes on', () => {
    expect(shared([one, two], [one, two, three])).toBe(countMessages(tokens, [one, two]))
  })

  it('ends where the first message differs, inside of it', () => {
    expect(shared([one, two], [three, two])).toBe(0)
    const part = shared([two, one], [two, user('one two nine')])
    expect(part).toBeGreaterThan(countMessages(tokens, [two]))
    expect(part).toBeLessThan(countMessages(tokens, [two, one]))
  })

  it('does not go on behind a message that is another one', () => {
    expect(shared([one, two, three], [one, three, three])).toBeLessThan(countMessages(tokens, [one, two]))
  })
})
