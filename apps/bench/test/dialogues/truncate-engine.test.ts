import { checkProjection, countMessages, createContextSession } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { describe, expect, it } from 'vitest'
import { generateDialogue } from '../../src/dialogues/generate-dialogue.ts'
import { truncate } from '../../src/dialogues/truncate-engine.ts'

const { messages } = generateDialogue({ seed: 3, turns: 30 })
const tokens = createTokenCounter()

describe('truncate', () => {
  it('keeps the system prompt and as much of the end as fits, and breaks no law', async () => {
    const session = createContextSession({ engine: truncate, contextLength: 9000, tokens })
    let least = Number.POSITIVE_INFINITY
    for (const [index, { role }] of messages.entries()) {
      if (role !== 'assistant') continue
      const history = messages.slice(0, index)
      const { messages: prompt } = await session.prepare(history)
      expect(checkProjection(prompt, history)).toEqual([])
      const size = countMessages(tokens, prompt)
      expect(size).toBeLessThanOrEqual(9000)
      if (countMessages(tokens, history) > 9000) least = Math.min(least, size)
    }
    expect(least).toBeGreaterThan(6000)
    await session.end()
  })
})
