import { checkSequence, type Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { continuation, longConversation, system, toolRounds, user } from '../../src/harness/conversations.ts'

const CONVERSATIONS: Readonly<Record<string, () => Message[]>> = {
  'a long conversation': () => longConversation(),
  'a long conversation that goes on': () => [...longConversation(), ...continuation(41), ...continuation(81)],
  'many tool rounds': () => [system(), user('Read everything.'), ...toolRounds()],
}

describe.each(Object.entries(CONVERSATIONS))('%s', (_, make) => {
  it('is a sequence that every provider takes', () => expect(checkSequence(make())).toEqual([]))

  it('is the same each time, and shares nothing with the one before', () => {
    expect(make()).toEqual(make())
    expect(make()[0]).not.toBe(make()[0])
  })

  it('has no two equal messages, so that each can be found again', () => {
    const texts = make().map((message) => JSON.stringify(message))
    expect(new Set(texts).size).toBe(texts.length)
  })
})
