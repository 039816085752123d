import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import {
  assistant,
  createEngine,
  createScripted,
  scripted,
  system,
  tokens,
  turns,
  user,
  words,
} from './harness.ts'

const told = (count: number): Message[] => [system(), ...turns(count)]

describe('the prompt for a summary', () => {
  it('names the messages that it stands for, or the summaries', async () => {
    const model = scripted(`## Goal\n${words(400)}`)
    const engine = createEngine({ window: 8_000, model, leaf_chunk_tokens: 500 })
    await engine.compress({ messages: told(60), force: true })
    const prompts = model.calls.map(({ prompt }) => prompt)
    expect(prompts[0]).toContain('m1 [user] Please look at part t0')
    const joined = prompts.find((prompt) => prompt.includes('<summaries>'))
    expect(joined).toMatch(/\[s\d+, messages m\d+ to m\d+\]\n## Goal/)
    expect(joined).toContain('Join the records above')
  })

  it('has the summary before it for leaves only', async () => {
    const model = scripted(`## Goal\nEARLIER ${words(20)}`)
    const engine = createEngine({ window: 8_000, model, leaf_chunk_tokens: 600 })
    await engine.compress({ messages: told(60), force: true })
    const [first, ...rest] = model.calls.map(({ prompt }) => prompt)
    expect(first).not.toContain('<previous_summary>')
    expect(rest.length).toBeGreaterThan(3)
    for (const prompt of rest)
      expect(prompt.includes('<previous_summary>')).toBe(prompt.includes('<conversation>'))
  })

  it.each([3_000, 6_000, 8_000, 16_000])(
    'fits a summariser with a window of %i tokens',
    async (contextLength) => {
      const model = createScripted([`## Goal\n${words(150)}`], contextLength)
      const engine = createEngine({
        window: 60_000,
        model,
      })
      const memoryContext = words(4_000, 'memory')
      const messages = [...told(300), user(words(5_000, 'huge')), assistant('yes'), ...turns(150, 100, 'z')]
      const { outcome, warnings } = await engine.compress({
        messages,
        force: true,
        memoryContext,
        focusTopic: 'parts',
      })
      expect(outcome).toBe('compacted')
      const isUsed = contextLength > 4_000
      expect(model.calls.length > 0).toBe(isUsed)
      expect(warnings.map(({ code }) => code)).toEqual(isUsed ? [] : ['summariser-failed'])
      if (!isUsed) expect(warnings[0]?.message).toMatch(/window of 3000 tokens .* it takes one of [34]\d{3}/)
      for (const { prompt, system: instructions = '' } of model.calls)
        expect(tokens.countText(prompt) + tokens.countText(instructions) + 300).toBeLessThanOrEqual(
          contextLength,
        )
      // Nothing is left unread.
      const read = model.calls.map(({ prompt }) => prompt).join('\n')
      if (isUsed) for (let index = 0; index < 5_000; index += 500) expect(read).toContain(`huge${index}`)
    },
  )
})
