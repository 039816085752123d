import { checkSequence, messageText } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { generateConversation } from '../src/workload/conversation.ts'

describe('generateConversation', () => {
  it('is a valid conversation of the asked length, the same for the same seed', () => {
    const { messages } = generateConversation({ seed: 7, messages: 400 })
    expect(messages.length).toBeGreaterThanOrEqual(400)
    expect(checkSequence(messages)).toEqual([])
    expect(generateConversation({ seed: 7, messages: 400 }).messages).toEqual(messages)
    expect(generateConversation({ seed: 8, messages: 400 }).messages).not.toEqual(messages)
  })

  it('plants every fact once, half with users and half in tool results', () => {
    const { messages, needles } = generateConversation({ seed: 1, messages: 600, needles: 40 })
    for (const { sentence, where } of needles) {
      const holders = messages.filter((message) => messageText(message).includes(sentence))
      expect(holders.map(({ role }) => role)).toEqual([where])
    }
    expect(needles.filter(({ where }) => where === 'user')).toHaveLength(20)
  })
})
