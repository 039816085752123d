import { describe, expect, it } from 'vitest'
import { checkSequence, isBridge, type Message, placeSummary, readSummary } from '../../src/index.ts'

const system: Message = { role: 'system', content: 'You are a careful engineer.' }
const user: Message = { role: 'user', content: 'And now?' }
const assistant: Message = { role: 'assistant', content: 'Done.' }
const roles = (messages: readonly Message[]) => messages.map(({ role }) => role)

describe('placeSummary', () => {
  it('bridges to the user turns that it would touch, and knows its bridges again', () => {
    const placed = placeSummary({ head: [system, user], summary: 'the past', tail: [user] })
    expect(roles(placed)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'user'])
    expect(placed.map(isBridge)).toEqual([false, false, true, false, true, false])
    expect(checkSequence(placed)).toEqual([])
  })

  it('bridges from the request to what a host inserted later', () => {
    const inserted: Message = { role: 'user', content: '<system-reminder>\nBe brief.\n</system-reminder>' }
    const behind = (tail: Message[]) =>
      placeSummary({ head: [system], summary: 'the past', request: user, tail }).slice(2)
    const [bridge] = behind([])
    expect(behind([])).toEqual([bridge, user])
    expect(behind([assistant])).toEqual([bridge, user, assistant])
    expect(behind([inserted, assistant])).toEqual([bridge, user, bridge, inserted, assistant])
  })

  it('puts a summary that grows into parts, of which a new one changes none before it', () => {
    const partsOf = (message: Message | undefined) => (message?.content ?? []) as readonly object[]
    const before = placeSummary({ head: [system], summary: ['one', 'two'], tail: [assistant, user] })[1]
    const after = placeSummary({
      head: [system],
      summary: ['one', 'two', 'three'],
      tail: [assistant, user],
    })[1]
    expect(partsOf(after).slice(0, 2)).toEqual(partsOf(before).slice(0, 2))
    expect(partsOf(after)).toHaveLength(4)
    expect(readSummary(after ?? user)).toBe('one\n\ntwo\n\nthree')
    expect(readSummary(before ?? user)).toBe('one\n\ntwo')
  })
})
