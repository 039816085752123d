import { checkSequence, isDeepFrozen, type Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { continuation, longConversation, toolRounds } from '../../src/harness/conversations.ts'

const CONVERSATIONS: Readonly<Record<string, () => Message[]>> = {
  'a long conversation': () => longConversation(),
  'a long conversation that goes on': () => [...longConversation(), ...continuation(41), ...continuation(81)],
  'many tool rounds': () => [...longConversation().slice(0, 2), ...toolRounds()],
}

describe.each(Object.entries(CONVERSATIONS))('%s', (_, make) => {
  it('is a sequence that every provider takes', () => expect(checkSequence(make())).toEqual([]))

  it('is the same each time, in a list of its own that holds nothing which can change', () => {
    expect(make()).toEqual(make())
    expect(make()).not.toBe(make())
    expect(make().every(isDeepFrozen)).toBe(true)
  })

  it('has no two equal messages, so that each can be found again', () => {
    const texts = make().map((message) => JSON.stringify(message))
    expect(new Set(texts).size).toBe(texts.length)
  })
})
