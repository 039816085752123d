import {
  checkSequence,
  countMessages,
  type Message,
  messageText,
  roughTokenCounter,
  toolCallInput,
  toolCallsOf,
} from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { openContests, settledItems } from '../../src/dialogues/dialogue.ts'
import { generateDialogue } from '../../src/dialogues/generate-dialogue.ts'
import { holdsItem } from '../../src/dialogues/presence.ts'

const dialogues = Array.from({ length: 12 }, (_, index) => generateDialogue({ seed: index + 1, turns: 50 }))
const textAt = (messages: readonly Message[], index: number): string => {
  const message = messages[index]
  return message === undefined ? '' : messageText(message)
}

describe('generateDialogue', () => {
  it('is a valid conversation of so many user turns, the same for the same seed', () => {
    for (const { seed, messages } of dialogues) {
      expect(checkSequence(messages)).toEqual([])
      expect(messages.filter(({ role }) => role === 'user')).toHaveLength(50)
      expect(JSON.stringify(generateDialogue({ seed, turns: 50 }).messages)).toBe(JSON.stringify(messages))
    }
  })

  it('is far larger than the budgets', () => {
    const sizes = dialogues.map(({ messages }) => countMessages(roughTokenCounter, messages))
    console.log(`${Math.min(...sizes)} to ${Math.max(...sizes)} tokens`)
    expect(Math.min(...sizes)).toBeGreaterThan(55_000)
    expect(Math.max(...sizes)).toBeLessThan(280_000)
  })

  it('has one to four topics with seven to nine items, some of them wrong at first', () => {
    const counts = new Set(dialogues.map(({ topics }) => topics.length))
    for (const count of counts) expect([1, 2, 3, 4]).toContain(count)
    expect(counts.size).toBeGreaterThan(2)
    const topics = dialogues.flatMap((dialogue) => dialogue.topics)
    for (const { items } of topics) expect([7, 8, 9]).toContain(items.length)
    const items = topics.flatMap((topic) => topic.items)
    const wrong = items.filter((item) => item.wrong !== undefined)
    expect(wrong.length / items.length).toBeGreaterThan(0.25)
    expect(wrong.length / items.length).toBeLessThan(0.6)
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
        expect(said).toMatch(/Correction: |Actually, forget |I was wrong about that/)
      }
    }
    expect(proposals).toBeGreaterThan(5)
  })

  it('gives each topic a function of its own, with three numbers of which one at least is corrected', () => {
    for (const { messages, topics } of dialogues) {
      expect(new Set(topics.map(({ task }) => task.template)).size).toBe(topics.length)
      for (const { items, task } of topics) {
        expect(messages.some((message) => messageText(message).includes(`\`${task.name}\``))).toBe(true)
        expect(task.numbers).toHaveLength(3)
        for (const number of task.numbers) expect(items).toContain(number)
        expect(task.numbers.some(({ wrong }) => wrong !== undefined)).toBe(true)
      }
    }
  })

  it('raises the topics, and five other things that are wanted once and never asked about', () => {
    for (const { messages, topics, raised, probes } of dialogues) {
      expect(raised).toHaveLength(topics.length + 5)
      for (const { title, message } of raised) {
        const naming = messages.flatMap((each, index) => (messageText(each).includes(title) ? [index] : []))
        expect(naming[0]).toBe(message)
        if (topics.every((topic) => topic.title !== title)) expect(naming).toEqual([message])
        expect(probes.map((probe) => probe.message)).not.toContain(message)
      }
    }
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

  it('has contests: a second value in plain words of the user, or in an answer of the assistant', () => {
    const contests = dialogues.flatMap(({ messages, topics, probes }) => {
      for (const { by, values, contestedAt } of topics.flatMap((topic) => topic.contests)) {
        const second = messages[contestedAt]
        expect(second?.role).toBe(by)
        const texts = messages.map(messageText)
        expect(texts.findIndex((text) => text.includes(values[0]))).toBeLessThan(contestedAt)
        const sentence = textAt(messages, contestedAt)
          .split(/(?<=\.)\s/)
          .find((each) => each.includes(values[1]))
        expect(sentence).not.toMatch(/Correction|forget|wrong/)
      }
      return probes.flatMap(openContests)
    })
    expect(new Set(contests.map(({ by }) => by))).toEqual(new Set(['user', 'assistant']))
  })

  it('asks for what nobody settled: never heard of before, or settled for another topic only', () => {
    const origins = new Set<string>()
    for (const { messages, topics, probes } of dialogues)
      for (const { decoy, topic, message } of probes) {
        const [, about] = decoy.subject
        origins.add(decoy.origin)
        expect(textAt(messages, message)).toContain(about)
        expect([...topic.items, ...topic.contests].map(({ subject }) => subject[1])).not.toContain(about)
        const elsewhere = topics.flatMap(({ items }) => items).some(({ subject }) => subject[1] === about)
        expect(elsewhere).toBe(decoy.origin === 'foreign')
      }
    expect(origins).toEqual(new Set(['absent', 'foreign']))
  })

  it('changes files by real calls, beside many that are only read', () => {
    for (const { messages, files, changes } of dialogues) {
      expect(new Set(files).size).toBe(files.length)
      const changed = new Set(changes.map(({ file }) => file))
      expect(changed.size).toBeGreaterThan(8)
      expect(changed.size).toBeLessThan(files.length * 0.75)
      for (const { file, message } of changes) {
        const call = messages[message]
        const inputs = call === undefined ? [] : toolCallsOf(call).map(toolCallInput)
        expect(inputs.join('\n')).toContain(file)
      }
    }
    const calls = dialogues.flatMap(({ messages }) => messages).flatMap(toolCallsOf)
    const all = JSON.stringify(calls)
    for (const way of ['edit_file', 'write_file', 'rm src/', 'git mv src/']) expect(all).toContain(way)
  })
})
