import { checkSequence, countMessages, type Message, messageText } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { describe, expect, it } from 'vitest'
import { settledItems } from '../../src/dialogues/dialogue.ts'
import { generateDialogue } from '../../src/dialogues/generate-dialogue.ts'
import { holdsItem } from '../../src/dialogues/presence.ts'

const dialogues = Array.from({ length: 12 }, (_, index) => generateDialogue({ seed: index + 1, turns: 50 }))
const tokens = createTokenCounter()
const textAt = (messages: readonly Message[], index: number): string => {
  const message = messages[index]
  return message === undefined ? '' : messageText(message)
}

describe('generateDialogue', () => {
  it('is a valid conversation of so many user turns, the same for the same seed', () => {
    for (const { seed, messages } of dialogues) {
      expect(checkSequence(messages)).toEqual([])
      expect(messages.filter(({ role }) => role === 'user')).toHaveLength(50)
      expect(generateDialogue({ seed, turns: 50 }).messages).toEqual(messages)
    }
  })

  it('is far larger than the budgets', () => {
    const sizes = dialogues.map(({ messages }) => countMessages(tokens, messages))
    console.log(`${Math.min(...sizes)} to ${Math.max(...sizes)} tokens`)
    expect(Math.min(...sizes)).toBeGreaterThan(55_000)
    expect(Math.max(...sizes)).toBeLessThan(280_000)
  })

  it('has one to four topics with four to six items, some of them wrong at first', () => {
    const counts = new Set(dialogues.map(({ topics }) => topics.length))
    for (const count of counts) expect([1, 2, 3, 4]).toContain(count)
    expect(counts.size).toBeGreaterThan(2)
    const items = dialogues.flatMap(({ topics }) => topics).flatMap((topic) => topic.items)
    const wrong = items.filter((item) => item.wrong !== undefined)
    expect(wrong.length / items.length).toBeGreaterThan(0.25)
    expect(wrong.length / items.length).toBeLessThan(0.55)
  })

  it('says each value where it is settled: in the words of the user, or in a proposal that the user takes up', () => {
    let proposals = 0
    for (const { messages, topics } of dialogues) {
      for (const item of topics.flatMap((topic) => topic.items)) {
        expect(messages[item.settledAt]?.role).toBe('user')
        const said = textAt(messages, item.settledAt)
        if (!said.includes(item.value)) {
          proposals++
          expect(said).toMatch(/^(Yes, do that|Agreed|Good, go ahead|ok)/)
          expect(textAt(messages, item.settledAt - 1)).toContain('I suggest this')
        }
        expect(holdsItem([said, textAt(messages, item.settledAt - 1)], item)).toBe(true)
        if (item.wrong === undefined) continue
        expect(item.wrong.statedAt).toBeLessThan(item.settledAt)
        expect(textAt(messages, item.wrong.statedAt)).toContain(item.wrong.value)
      }
    }
    expect(proposals).toBeGreaterThan(5)
  })

  it('asks up to three times about each topic, at the end about all of it, and never gives a value away', () => {
    for (const { messages, topics, probes } of dialogues) {
      expect(probes.length).toBeLessThanOrEqual(topics.length * 3)
      expect(probes.length).toBeGreaterThanOrEqual(topics.length * 2)
      for (const probe of probes) {
        const question = textAt(messages, probe.message)
        expect(question).toContain(probe.topic.title)
        expect(settledItems(probe)).not.toEqual([])
        for (const { value } of probe.topic.items) expect(question).not.toContain(value)
      }
      for (const topic of topics) {
        const last = probes.findLast((probe) => probe.topic === topic)
        expect(last && settledItems(last)).toEqual(topic.items)
      }
    }
  })

  it('never has two items of a dialogue with the same subject or value', () => {
    for (const { topics } of dialogues) {
      const items = topics.flatMap((topic) => topic.items)
      const values = items.flatMap(({ value, wrong }) =>
        wrong === undefined ? [value] : [value, wrong.value],
      )
      expect(new Set(values).size).toBe(values.length)
      expect(new Set(items.map(({ subject }) => subject.join())).size).toBe(items.length)
    }
  })
})
