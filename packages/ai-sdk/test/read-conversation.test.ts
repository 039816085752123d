import type { ModelMessage } from 'ai'
import { expect, it } from 'vitest'
import { readConversation, settled, wireMessages } from '../src/engine/model-conversation.ts'

const models: ModelMessage[] = [
  { role: 'system', content: 'You count.' },
  { role: 'user', content: [{ type: 'text', text: 'In what?' }] },
  { role: 'assistant', content: [{ type: 'text', text: 'Cents.' }] },
]

it('a conversation is read once: its later steps have the very messages that the session keeps', () => {
  const first = readConversation('Be kind.', models, [])
  const kept = structuredClone(wireMessages(first))
  const step = settled(first, kept)
  expect(
    wireMessages(step)
      .slice(1)
      .map((message, index) => message === kept[index + 1]),
  ).toEqual([true, true])
  expect(step.units.map((unit) => unit.models)).toEqual(first.units.map((unit) => unit.models))
  const next = readConversation('Be kind.', [...models, { role: 'user', content: 'Thanks.' }], step.units)
  expect(wireMessages(next)[1]).toBe(kept[1])
  expect(wireMessages(next)).toHaveLength(4)
})

it('a message that the session keeps otherwise stays what the application said', () => {
  const first = readConversation(undefined, models, [])
  const kept = wireMessages(first).map((message) => ({ ...message, content: 'Something else.' }))
  expect(wireMessages(settled(first, kept))).toEqual(wireMessages(first))
  expect(wireMessages(settled(first, []))).toEqual(wireMessages(first))
})
