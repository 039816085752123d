import { describe, expect, it } from 'vitest'
import { keepUserMessages } from '../src/keep-user-messages.ts'
import { assistant, tokens, user } from './harness.ts'

describe("the user's own words", () => {
  it('are kept when they rule or name something, before small talk that is newer', () => {
    const talk = Array.from({ length: 30 }, (_, index) =>
      user(`Go on, please, and be quick about step ${index}.`),
    )
    const rule = 'Never push to main without asking me.'
    const value = 'The helper is called `settleLedger`.'
    const kept = keepUserMessages([], [user(rule), user(value), ...talk], 120, tokens)
    expect(kept).toContain(rule)
    expect(kept).toContain(value)
    // The two newest stay whatever they say, and the order is that of the conversation.
    expect(kept.slice(0, 2)).toEqual([rule, value])
    expect(kept.slice(-2)).toEqual(talk.slice(-2).map(({ content }) => content))
  })

  it('are not those of anybody else, and none twice', () => {
    expect(keepUserMessages(['a'], [user('b'), assistant('c'), user('a')], 100, tokens)).toEqual(['a', 'b'])
  })

  it('are kept without a long paste; of a message that is nothing else, the ends are', () => {
    const block = `\`\`\`\n${'x = 1\n'.repeat(200)}\`\`\``
    const kept = keepUserMessages([], [user(`Why is this slow?\n${block}`), user(block)], 1000, tokens)
    expect(kept[0]).toBe('Why is this slow?')
    expect(kept[1]).toMatch(/^```[\s\S]*x = 1/)
    expect(kept[1]?.length).toBeLessThan(600)
  })
})
