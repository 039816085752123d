import { checkSequence, messageText } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { LABELLED_SET, type Part } from '../../src/decisions/labelled/labelled-set.ts'
import { readConversation } from '../../src/decisions/read-conversation.ts'

const PARTS: readonly Part[] = ['dev', 'held-out']
const all = PARTS.flatMap((part) => LABELLED_SET[part])
const usersOf = (part: Part) =>
  LABELLED_SET[part].flatMap(({ messages }) => messages).filter(({ message }) => message.role === 'user')
const plain = (text: string): string => text.toLowerCase().replace(/’/g, "'")

describe('the labelled set', () => {
  it('is large enough in both parts, and four of ten user messages decide nothing', () => {
    const counts = PARTS.map((part) => {
      const users = usersOf(part)
      const negatives = users.filter(({ negative }) => negative !== undefined)
      const languages = LABELLED_SET[part].filter(({ language }) => language !== 'en').length
      console.log(
        `${part}: ${users.length} user turns, ${negatives.length} negatives, ${languages} conversations not in English`,
      )
      expect(negatives.length / users.length).toBeGreaterThanOrEqual(0.4)
      expect(languages).toBeGreaterThanOrEqual(8)
      return users.length
    })
    const [dev = 0, heldOut = 0] = counts
    expect(dev).toBeGreaterThanOrEqual(260)
    expect(heldOut).toBeGreaterThanOrEqual(210)
  })

  it('has the same kinds of negatives in both parts', () => {
    const kinds = PARTS.map((part) => new Set(usersOf(part).flatMap(({ negative }) => negative ?? [])))
    expect(kinds[0]).toEqual(kinds[1])
    expect(kinds[0]?.size).toBe(13)
  })

  it('shares no user message between the parts, except the shortest', () => {
    const texts = PARTS.map(
      (part) => new Set(usersOf(part).map(({ message }) => plain(messageText(message)))),
    )
    const shared = [...(texts[0] ?? [])].filter((text) => texts[1]?.has(text) && text.length > 12)
    expect(shared).toEqual([])
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
    let labels = 0
    for (const conversation of all) {
      const inputs = readConversation(conversation)
      conversation.messages.forEach(({ message, labels: said }, index) => {
        const before = inputs[index]?.previous?.text ?? ''
        const own = plain(messageText(message))
        for (const { kinds, slot, value, replaces = '', area = '' } of said) {
          const where = `${conversation.id} [${index}] ${slot}: ${value}`
          const source = kinds.includes('accept') ? `${own}\n${plain(before)}` : own
          expect(source, where).toContain(plain(value))
          expect(own, where).toContain(plain(replaces))
          expect(own, where).toContain(plain(area))
          expect(message.role, where).toBe(kinds.includes('propose') ? 'assistant' : 'user')
          labels++
        }
      })
    }
    console.log(`${labels} labels`)
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
