import { checkSequence, messageText } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { type LabelledPart, readConversation } from '../../src/decisions/labelled-set.ts'
import { labelledParts } from './labelled-parts.ts'

const all = labelledParts.flatMap(({ conversations }) => conversations)
const usersOf = ({ conversations }: LabelledPart) =>
  conversations.flatMap(({ messages }) => messages).filter(({ message }) => message.role === 'user')
const plain = (text: string): string => text.toLowerCase().replace(/’/g, "'")

describe('the labelled set', () => {
  it('is large enough in each part, and four of ten user messages decide nothing', () => {
    const least = { dev: 260, 'held-out': 1200, unseen: 360 }
    for (const labelled of labelledParts) {
      const { part, conversations } = labelled
      const users = usersOf(labelled)
      const negatives = users.filter(({ negative }) => negative !== undefined)
      expect(users.length, part).toBeGreaterThanOrEqual(least[part])
      expect(negatives.length / users.length, part).toBeGreaterThanOrEqual(part === 'unseen' ? 0.5 : 0.4)
      // Only English is claimed, so `unseen` has nothing else.
      if (part !== 'unseen')
        expect(conversations.filter(({ language }) => language !== 'en').length).toBeGreaterThanOrEqual(8)
    }
  })

  it('has the same kinds of negatives in all parts', () => {
    const kinds = labelledParts.map(
      (part) => new Set(usersOf(part).flatMap(({ negative }) => negative ?? [])),
    )
    for (const each of kinds) expect(each).toEqual(kinds[0])
    expect(kinds[0]?.size).toBe(13)
  })

  it('shares no user message between the parts, except the shortest', () => {
    const texts = labelledParts.map(
      (part) => new Set(usersOf(part).map(({ message }) => plain(messageText(message)))),
    )
    const long = texts.flatMap((each) => [...each]).filter((text) => text.length > 12)
    expect(long.length).toBe(new Set(long).size)
  })

  it('has unique ids, and valid conversations of 2 to 12 messages', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    for (const { id, messages } of all) {
      expect(messages.length, id).toBeGreaterThanOrEqual(2)
      expect(messages.length, id).toBeLessThanOrEqual(12)
      const violations = checkSequence(messages.map(({ message }) => message))
      expect(violations, id).toEqual([])
    }
  })

  it('labels only what is in the text, or in the message of the assistant that it answers', () => {
    for (const conversation of all) {
      const inputs = readConversation(conversation)
      conversation.messages.forEach(({ message, labels: said }, index) => {
        const before = inputs[index]?.previous?.text ?? ''
        const earlier = conversation.messages.slice(0, index).map((each) => messageText(each.message))
        const own = plain(messageText(message))
        for (const { kinds, slot, value, replaces = '', area = '', isOptional } of said) {
          const where = `${conversation.id} [${index}] ${slot}: ${value}`
          const answered = kinds.includes('accept') ? `${own}\n${plain(before)}` : own
          const source = isOptional ? plain([own, ...earlier].join('\n')) : answered
          expect(source, where).toContain(plain(value))
          expect(own, where).toContain(plain(replaces))
          expect(own, where).toContain(plain(area))
          expect(message.role, where).toBe(kinds.includes('propose') ? 'assistant' : 'user')
        }
      })
    }
  })

  it('gives every acceptance something to accept', () => {
    for (const conversation of all) {
      const inputs = readConversation(conversation)
      conversation.messages.forEach(({ labels }, index) => {
        if (labels.some(({ kinds }) => kinds[0] === 'accept'))
          expect(inputs[index]?.previous, `${conversation.id} [${index}]`).toBeDefined()
      })
    }
  })

  it('takes what the user names as said and as taken up, both', () => {
    for (const { id, messages } of all) {
      for (const { message, labels } of messages) {
        const named = labels.filter(({ value }) => plain(messageText(message)).includes(plain(value)))
        for (const { kinds } of named.filter(({ kinds }) => kinds.includes('accept')))
          expect(kinds, id).toContain('assert')
      }
    }
  })
})
