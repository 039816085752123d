import type { Message } from '@palimpsest/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { messageHash } from '../../src/engine/source-of.ts'

/** Few texts, so that most pairs differ in one place: lone surrogates and what looks like the JSON before a text among them. */
const text = fc.constantFrom(
  '',
  'a',
  'a\n',
  '\ud800',
  '\udc00',
  '\ufffd',
  '"\ud800"',
  '["user",[],[],""]\na',
  ',',
)
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const), content: text }),
  fc.record({ role: fc.constant('tool' as const), tool_call_id: text, content: text }),
  fc
    .record({ content: text, id: text, name: text, input: text })
    .map(({ content, id, name, input }): Message => {
      const call = { id, type: 'function' as const, function: { name, arguments: JSON.stringify(input) } }
      return { role: 'assistant', content, tool_calls: [call] }
    }),
)

it('hashes two messages alike when they say the same, and only then', () => {
  let same = 0
  fc.assert(
    fc.property(message, message, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other)
      if (isSame) same++
      expect(messageHash(one) === messageHash(other)).toBe(isSame)
    }),
    { numRuns: 3_000 },
  )
  expect(same).toBeGreaterThan(10)
})
