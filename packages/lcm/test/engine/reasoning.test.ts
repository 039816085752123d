import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import {
  createChat,
  memoryStore,
  SUMMARY,
  scripted,
  shownSummaries,
  system,
  turns,
  user,
  words,
} from './harness.ts'

const SECRET = 'the-thought-nobody-may-see'
const thinking = (index: number): Message[] =>
  [
    { role: 'assistant', content: `answer ${index}`, reasoning_content: SECRET },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: SECRET },
        { type: 'text', text: `answer ${index}` },
      ],
    },
    { role: 'assistant', content: `<think>${SECRET}</think>answer ${index}` },
    { role: 'assistant', content: `answer ${index}`, providerData: { gemini: { reasoning: SECRET } } },
  ].slice(index % 4, (index % 4) + 1) as Message[]
const told = [
  system(),
  ...Array.from({ length: 30 }, (_, index) => [user(words(60, `q${index}w`)), ...thinking(index)]).flat(),
]

describe('reasoning', () => {
  it.each(['model', 'no model'])('is in no prompt and in no summary (%s)', async (by) => {
    const model = scripted(({ prompt }) => `${SUMMARY}\n- ${prompt.slice(0, 200)}`)
    const store = memoryStore()
    const chat = createChat({ store, window: 4_000, model: by === 'model' ? model : undefined })
    await chat.prepare(told)
    await chat.compact()
    const nodes = await shownSummaries(store)
    expect(nodes.length).toBeGreaterThan(0)
    for (const { text } of nodes) expect(text).not.toContain(SECRET)
    expect(model.calls.length > 0).toBe(by === 'model')
    for (const { prompt } of model.calls) expect(prompt).not.toContain(SECRET)
  })

  it('stays with the messages behind the summary', async () => {
    const chat = createChat({ window: 4_000 })
    const { messages } = await chat.prepare(told)
    expect(messages.length).toBeLessThan(told.length)
    expect(messages.slice(-6)).toEqual(told.slice(-6))
    const next = await chat.prepare([...told, ...turns(1), ...thinking(0)])
    expect(next.messages.slice(0, messages.length)).toEqual(messages)
    expect(next.messages.at(-1)).toEqual(thinking(0)[0])
  })
})
