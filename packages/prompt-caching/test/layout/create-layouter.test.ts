import { freezeMessage, type Message, roughTokenCounter } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { createLayouter } from '../../src/layout/create-layouter.ts'
import type { ReadBlock } from '../../src/layout/request-layout.ts'
import type { RequestReader } from '../../src/wire/cache-wire.ts'
import { answer, calls, layoutOf, user } from '../layouts.ts'

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

  it('counts a run of calls, and of results, as one position', () => {
    const { runs, blocks } = layoutOf({
      messages: [user('go', 1), ...calls('read', 3, 5), answer('done', 1)],
    })
    expect(blocks.map(({ kind }) => kind)).toEqual([
      'other',
      ...Array(3).fill('tool-use'),
      ...Array(3).fill('tool-result'),
      'other',
    ])
    expect(runs).toEqual([1, 2, 2, 2, 3, 3, 3, 4])
  })
})

describe('a layouter', () => {
  /** Our messages, one block each; counts what is read. */
  function reader() {
    let reads = 0
    const block = (content: string, role: ReadBlock['role']): ReadBlock => {
      reads++
      return { kind: 'other', role, content, tokens: content.length, carries: true }
    }
    const wire: RequestReader<readonly Message[]> = {
      parts: (messages) => ({ tools: [], system: null, messages, firstMessage: 0 }),
      readTool: () => block('', 'system'),
      readSystem: () => [],
      readMessage: (message) => {
        const { role, content } = message as Message
        return [block(JSON.stringify(content), role === 'developer' ? 'system' : role)]
      },
    }
    return { wire, reads: () => reads }
  }

  it('reads a message that cannot change once in its life', () => {
    const { wire, reads } = reader()
    const layouter = createLayouter(wire, roughTokenCounter)
    const list = Array.from({ length: 50 }, (_, index) =>
      freezeMessage<Message>({ role: 'user', content: `m${index}` }),
    )
    layouter.layout(list)
    expect(reads()).toBe(50)
    layouter.layout([...list, freezeMessage<Message>({ role: 'user', content: 'new' })])
    expect(reads()).toBe(51)
  })
})
