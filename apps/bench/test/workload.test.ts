import { checkSequence } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { generateConversation } from '../src/workload/conversation.ts'

it('generates a valid conversation of the asked length, the same for the same seed', () => {
  const messages = generateConversation({ seed: 7, messages: 400 })
  expect(messages.length).toBeGreaterThanOrEqual(400)
  expect(checkSequence(messages)).toEqual([])
  expect(generateConversation({ seed: 7, messages: 400 })).toEqual(messages)
  expect(generateConversation({ seed: 8, messages: 400 })).not.toEqual(messages)
})
