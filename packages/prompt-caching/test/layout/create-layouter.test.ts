import { describe, expect, it } from 'vitest'
import { answer, layoutOf, user } from '../layouts.ts'

const tool = (text: string) => ({ text, tokens: 10 })
const system = [{ text: 'system', tokens: 100 }]

describe('a layout', () => {
  it('has tools, system prompt and messages in the order in which they are cached', () => {
    const layout = layoutOf({
      tools: [tool('a'), tool('b')],
      system,
      messages: [user('hi', 7), answer('yes', 3)],
    })
    expect(layout.ends).toEqual([10, 20, 120, 127, 130])
    expect(layout.blocks.map(({ unit }) => unit)).toEqual([0, 1, 2, 3, 4])
    expect(layout.blocks.map(({ ref }) => ref)).toEqual([
      { at: 'tool', index: 0 },
      { at: 'tool', index: 1 },
      { at: 'system', block: 0 },
      { at: 'message', index: 1, block: 0 },
      { at: 'message', index: 2, block: 0 },
    ])
  })
})
