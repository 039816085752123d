import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { uncovered } from './coverage.ts'
import {
  createChat,
  memoryStore,
  openSession,
  SUMMARY,
  scripted,
  summaryOf,
  system,
  turns,
  user,
} from './harness.ts'

describe('a context', () => {
  it('begins the same from request to request between two compactions', async () => {
    const chat = createChat({ window: 8_000, model: scripted(SUMMARY) })
    const list: Message[] = [system()]
    let last: readonly Message[] = []
    let changes = 0
    for (const turn of turns(90)) {
      list.push(turn)
      if (turn.role !== 'user') continue
      const { messages, compactions } = await chat.prepare(list)
      if (compactions.some(({ outcome }) => outcome === 'compacted')) changes++
      else expect(messages.slice(0, last.length)).toEqual(last)
      last = messages
    }
    expect(changes).toBeGreaterThan(1)
    expect(changes).toBeLessThan(15)
  })

  it('shows summaries and messages in the order of the conversation, with ids, times and who wrote them', async () => {
    const store = memoryStore()
    const chat = createChat({ store, window: 8_000, leaf_chunk_tokens: 700, model: scripted(SUMMARY) })
    const { messages } = await chat.prepare([system(), ...turns(40), user('and?')])
    const ranges = [
      ...summaryOf(messages).matchAll(
        /<summary id="s\d+" depth="\d+" messages="m(\d+)-m(\d+)" time="2026-01-01T00:00Z"(?: of="[s\d ]+")? by="model">/g,
      ),
    ]
    expect(ranges.length).toBeGreaterThan(1)
    for (const [index, [, first]] of ranges.entries())
      expect(Number(first)).toBe(index === 0 ? 1 : Number(ranges[index - 1]?.[2]) + 1)
    expect(await uncovered(await openSession(store), messages)).toBeUndefined()
  })
})
